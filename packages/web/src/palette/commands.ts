import type { Session } from "@signalbox/client";
import { listSessionActions } from "../session-menu/actions.ts";
import { openConnect, openHelp, openNewSession } from "../navigation/overlays.ts";
import { go, type Route, sessionPath } from "../navigation/router.ts";
import { isBusy, type Lamp } from "@signalbox/client";
import { strings } from "../strings/strings.ts";
import { currentLamp } from "../store/lamp.ts";
import { setPreferences } from "../store/preferences.ts";
import { countUnsent, collectUnsent } from "../store/unsent.ts";
import { getDevice, type AppContext } from "../store/app-context.tsx";

const text = strings.palette;

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly note?: string;
  /** The lamp of the session. */
  readonly lamp?: Lamp;
  readonly run: () => void;
}

/** All commands that are available on the current page. */
export function listEntries(app: AppContext, route: Route): readonly PaletteEntry[] {
  const { sessions } = app.board.view;
  const written = app.drafts.names();
  const unsent = countUnsent(collectUnsent(app.client.outbox.messages, written, sessions));
  const live = app.client.state.kind === "live";
  const mayDrive = getDevice(app).role !== "viewer";
  const here =
    route.page === "session" ? sessions.find(({ id }) => id === route.session) : undefined;
  return [
    ...(mayDrive
      ? [{ id: "new", label: text.newSession, note: "Alt+N", run: () => openNewSession() }]
      : []),
    { id: "inbox", label: text.inbox, run: () => go("/inbox") },
    { id: "board", label: text.overview, run: () => go("/") },
    ...(unsent > 0 ? [{ id: "unsent", label: text.unsent(unsent), run: () => go("/unsent") }] : []),
    ...(here && mayDrive && isBusy(here) ? [interruptEntry(here, app)] : []),
    ...(here && mayDrive
      ? listSessionActions(here, app).map((action) => ({ ...action, note: text.thisSession }))
      : []),
    ...sessions.filter(({ archived }) => !archived).map((session) => sessionEntry(session, live)),
    ...(mayDrive ? [{ id: "connect", label: text.connect, run: openConnect }] : []),
    { id: "settings", label: text.settings, run: () => go("/settings") },
    { id: "help", label: text.help, note: "?", run: openHelp },
    { id: "light", label: text.themeLight, run: () => setPreferences({ theme: "light" }) },
    { id: "dark", label: text.themeDark, run: () => setPreferences({ theme: "dark" }) },
    {
      id: "system",
      label: text.themeSystem,
      run: () => setPreferences({ theme: "system" }),
    },
  ];
}

function sessionEntry(session: Session, live: boolean): PaletteEntry {
  const { id, title, folder } = session;
  const lamp = currentLamp(session, live);
  return {
    id: `to-${id}`,
    label: title,
    note: folder,
    lamp,
    run: () => go(sessionPath(id)),
  };
}

function interruptEntry({ id }: Session, { client, toasts }: AppContext): PaletteEntry {
  const run = () =>
    void client
      .interrupt(id)
      .catch((failure: unknown) => toasts.showError(strings.composer.couldNotInterrupt, failure));
  return { id: "interrupt", label: text.interrupt, note: "Esc Esc", run };
}

/** The entries that contain all words, those that start with the text first. */
export function filterEntries(
  entries: readonly PaletteEntry[],
  text: string,
): readonly PaletteEntry[] {
  const label = text.toLowerCase().split(/\s+/).filter(Boolean);
  const whole = ({ label: name, note = "" }: PaletteEntry) => `${name} ${note}`.toLowerCase();
  const fits = entries.filter((entry) => label.every((word) => whole(entry).includes(word)));
  const first = label[0];
  if (first === undefined) return fits;
  return fits.toSorted(
    (a, b) => Number(!startsWithText(a, first)) - Number(!startsWithText(b, first)),
  );
}

function startsWithText({ label }: PaletteEntry, text: string): boolean {
  return label.toLowerCase().startsWith(text);
}
