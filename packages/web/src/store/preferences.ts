import { isTouchOnly } from "../browser/screen.ts";
import { signal } from "./signal.ts";

export interface Preferences {
  readonly theme: "system" | "light" | "dark";
  readonly notify: boolean;
  /** Whether Enter sends, or makes a new line. */
  readonly enterSends: boolean;
  readonly panel: string;
}
const defaultPreferences: Preferences = {
  theme: "system",
  notify: false,
  enterSends: !isTouchOnly(), // such a keyboard has no other way to a new line
  panel: "tasks",
};

/** Looks and habits are no secret, and wanted before the first picture: hence not in the database. */
const KEY = "signalbox.preferences";

function read(): Preferences {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...defaultPreferences, ...(kept as Partial<Preferences>) };
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
    // A browser that keeps nothing: it holds until the page is closed.
  }
}

export function applyTheme(): void {
  const { theme } = preferences.get();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
