import type { Session } from "@signalbox/client";
import {
  Inbox,
  Keyboard,
  LayoutGrid,
  type LucideIcon,
  MailWarning,
  Monitor,
  Moon,
  Radar,
  Settings,
  Square,
  SquarePen,
  Sun,
} from "lucide-react";
import { isOutOfSight } from "../session-info/group-sessions.ts";
import { listSessionActions } from "../session-menu/actions.ts";
import { openConnect, openHelp, openNewSession } from "../navigation/overlays.ts";
import { openSessionToWrite } from "../navigation/focus.ts";
import { go, type PageRoute } from "../navigation/router.ts";
import { isBusy, type Lamp } from "@signalbox/client";
import { strings } from "../strings/strings.ts";
import { currentLamp } from "../store/lamp.ts";
import { setPreferences } from "../store/preferences.ts";
import { countUnsent, collectUnsent } from "../store/unsent.ts";
import { getDevice, type AppContext } from "../store/app-context.tsx";
import { keyLabel } from "../keys/key-labels.ts";

const text = strings.palette;

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly note?: string;
  readonly group: keyof typeof text.groups;
  readonly icon?: LucideIcon;
  /** The lamp of the session. */
  readonly lamp?: Lamp;
  readonly run: () => void;
}

/** All commands that are available on the current page. */
export function listEntries(app: AppContext, route: PageRoute): readonly PaletteEntry[] {
  const { sessions } = app.board.view;
  const written = app.drafts.names();
  const unsent = countUnsent(collectUnsent(app.client.outbox.messages, written, sessions));
  const live = app.client.state.kind === "live";
  const mayDrive = getDevice(app).role !== "viewer";
  const here =
    route.page === "session" ? sessions.find(({ id }) => id === route.session) : undefined;
  const sessionEntries = sessions
    .filter((session) => !isOutOfSight(session))
    .toSorted(
      (a, b) => Number(b.openAsks > 0) - Number(a.openAsks > 0) || b.changedAt - a.changedAt,
    )
    .map((session) => sessionEntry(session, live));
  return [
    ...sessionEntries,
    ...(here && mayDrive ? hereEntries(here, app) : []),
    ...actionEntries(mayDrive, unsent),
  ];
}

/** What can be done with the session that is shown. */
function hereEntries(session: Session, app: AppContext): readonly PaletteEntry[] {
  return [
    ...(isBusy(session) ? [interruptEntry(session, app)] : []),
    ...listSessionActions(session, app).map(({ id, label, icon, run }): PaletteEntry => ({
      id,
      label,
      icon,
      run,
      group: "here",
    })),
  ];
}

function actionEntries(mayDrive: boolean, unsent: number): readonly PaletteEntry[] {
  const action = (
    id: string,
    label: string,
    icon: LucideIcon,
    run: () => void,
    note?: string,
  ): PaletteEntry => ({
    id,
    label,
    icon,
    run,
    group: "actions",
    ...(note !== undefined && { note }),
  });
  const theme = (wanted: "light" | "dark" | "system") => () => setPreferences({ theme: wanted });
  return [
    ...(mayDrive
      ? [action("new", text.newSession, SquarePen, () => openNewSession(), "Alt+N")]
      : []),
    action("inbox", text.inbox, Inbox, () => go("/inbox")),
    action("board", text.overview, LayoutGrid, () => go("/")),
    ...(unsent > 0
      ? [action("unsent", text.unsent(unsent), MailWarning, () => go("/unsent"))]
      : []),
    ...(mayDrive ? [action("connect", text.connect, Radar, openConnect)] : []),
    action("settings", text.settings, Settings, () => go("/settings")),
    action("help", text.help, Keyboard, openHelp, "?"),
    action("light", text.themeLight, Sun, theme("light")),
    action("dark", text.themeDark, Moon, theme("dark")),
    action("system", text.themeSystem, Monitor, theme("system")),
  ];
}

function sessionEntry(session: Session, live: boolean): PaletteEntry {
  const { id, title, folder } = session;
  const lamp = currentLamp(session, live);
  return {
    id: `to-${id}`,
    label: title,
    note: folder,
    group: "sessions",
    lamp,
    run: () => openSessionToWrite(id),
  };
}

function interruptEntry({ id }: Session, { client, toasts }: AppContext): PaletteEntry {
  const run = () =>
    void client
      .interrupt(id)
      .catch((failure: unknown) => toasts.showError(strings.composer.couldNotInterrupt, failure));
  return {
    id: "interrupt",
    label: text.interrupt,
    note: keyLabel("interrupt"),
    icon: Square,
    group: "here",
    run,
  };
}

/**
 * The entries that match, the best first: those that contain all words, then those that contain the letters in
 * their order. Without a text, all of them in their order.
 */
export function filterEntries<T extends Pick<PaletteEntry, "label" | "note">>(
  entries: readonly T[],
  typed: string,
): readonly T[] {
  const query = typed.toLowerCase().trim();
  if (query === "") return entries;
  const ranked = entries.map((entry) => ({ entry, rank: rankEntry(entry, query) }));
  return ranked
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

const NO_MATCH = 4;

/** The smaller the better: starts with the text, contains every word, contains it with its note, has its letters. */
function rankEntry(
  { label, note = "" }: Pick<PaletteEntry, "label" | "note">,
  query: string,
): number {
  const name = label.toLowerCase();
  const whole = `${name} ${note.toLowerCase()}`;
  const words = query.split(/\s+/);
  if (name.startsWith(words[0] ?? "") && words.every((word) => name.includes(word))) return 0;
  if (words.every((word) => name.includes(word))) return 1;
  if (words.every((word) => whole.includes(word))) return 2;
  return hasLettersInOrder(name, query.replaceAll(/\s+/g, "")) ? 3 : NO_MATCH;
}

function hasLettersInOrder(text: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}
