import { isTouchOnly } from "../browser/screen.ts";
import { signal } from "./signal.ts";

export type NotificationKind = "needsYou" | "finished" | "failed";

export interface Preferences {
  readonly theme: "system" | "light" | "dark";
  readonly notify: boolean;
  /** What notifications are shown for, while they are on. */
  readonly notifyAbout: Readonly<Record<NotificationKind, boolean>>;
  /** Folders of projects that show no notifications. */
  readonly mutedProjects: readonly string[];
  /** Whether times are shown as `5 min ago` or as date and time. */
  readonly dates: "relative" | "exact";
  /** Whether Enter sends a message or starts a new line. */
  readonly enterSends: boolean;
  /** The panel that was open last. */
  readonly panel: string;
  /** Whether the panel is open beside the conversation; not decided by the person yet: undefined. */
  readonly panelOpen?: boolean;
  readonly panelWidth: number;
  readonly sidebarOpen: boolean;
  readonly sidebarWidth: number;
  /** Whether changes of whitespace alone are left out of the view of changes. */
  readonly hideWhitespace: boolean;
}
const defaultPreferences: Preferences = {
  theme: "system",
  notify: false,
  notifyAbout: { needsYou: true, finished: false, failed: true },
  mutedProjects: [],
  dates: "relative",
  enterSends: !isTouchOnly(), // Touch keyboards have no other key for a new line.
  panel: "tasks",
  panelWidth: 380,
  sidebarOpen: true,
  sidebarWidth: 264,
  hideWhitespace: false,
};

/** Kept in localStorage instead of the database, because they are needed before the first render. */
const KEY = "signalbox.preferences";

function read(): Preferences {
  try {
    const storedValue: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...defaultPreferences, ...(storedValue as Partial<Preferences>) };
  } catch {
    return defaultPreferences;
  }
}

export const preferences = signal<Preferences>(
  typeof localStorage === "undefined" ? defaultPreferences : read(),
);

export function setPreferences(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...change });
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences.get()));
  } catch {
    // Storage is not available; the preference lasts until the page is closed.
  }
}

export function applyTheme(): void {
  const { theme } = preferences.get();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
