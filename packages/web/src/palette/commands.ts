import type { Session } from "@signalbox/client";
import type { SessionColour } from "@signalbox/api";
import { actionsOf } from "../session-menu/actions.ts";
import { changeSession } from "../session-menu/change-session.ts";
import { colours } from "../session-info/colors.ts";
import { openConnect, openHelp, openNewSession } from "../navigation/overlays.ts";
import { go, type Place, sessionPath } from "../navigation/router.ts";
import { isBusy, type Lamp } from "@signalbox/client";
import { currentLamp } from "../store/lamp.ts";
import { prefer } from "../store/preferences.ts";
import { countOf, notSent } from "../store/unsent.ts";
import { deviceOf, type World } from "../store/app-context.tsx";

export interface PaletteEntry {
  readonly id: string;
  readonly words: string;
  readonly note?: string;
  /** Of the session that it leads to, or of what it makes of one. */
  readonly colour?: SessionColour;
  /** Of the session that it leads to: how it stands. */
  readonly lamp?: Lamp;
  readonly run: () => void;
}

/** Everything that can be done from here. */
export function entriesOf(world: World, place: Place): readonly PaletteEntry[] {
  const { sessions } = world.board.view;
  const written = world.drafts.names();
  const unsent = countOf(notSent(world.client.outbox.messages, written, sessions));
  const live = world.client.state.kind === "live";
  const mayDrive = deviceOf(world).role !== "viewer";
  const here = place.at === "session" ? sessions.find(({ id }) => id === place.session) : undefined;
  return [
    ...(mayDrive
      ? [{ id: "new", words: "New session", note: "n", run: () => openNewSession() }]
      : []),
    { id: "inbox", words: "Go to the inbox", note: "g i", run: () => go("/inbox") },
    { id: "board", words: "Go to the board", note: "g b", run: () => go("/") },
    ...(unsent > 0
      ? [{ id: "unsent", words: `Go to what is unsent (${unsent})`, run: () => go("/unsent") }]
      : []),
    ...(here && mayDrive && isBusy(here) ? [toInterrupt(here, world)] : []),
    ...(here && mayDrive
      ? actionsOf(here, world).map((action) => ({ ...action, note: "this session" }))
      : []),
    ...sessions.filter(({ archived }) => !archived).map((session) => toSession(session, live)),
    ...(mayDrive
      ? [{ id: "connect", words: "Connect: hubs and relays nearby", run: openConnect }]
      : []),
    { id: "settings", words: "Settings", note: "g s", run: () => go("/settings") },
    { id: "help", words: "Keyboard shortcuts", note: "?", run: openHelp },
    ...(here && mayDrive ? toColour(here, world) : []),
    { id: "light", words: "Appearance: light", run: () => prefer({ theme: "light" }) },
    { id: "dark", words: "Appearance: dark", run: () => prefer({ theme: "dark" }) },
    { id: "system", words: "Appearance: as the system", run: () => prefer({ theme: "system" }) },
  ];
}

function toSession(session: Session, live: boolean): PaletteEntry {
  const { id, title, folder, colour } = session;
  const lamp = currentLamp(session, live);
  return {
    id: `to-${id}`,
    words: title,
    note: folder,
    colour,
    lamp,
    run: () => go(sessionPath(id)),
  };
}

function toInterrupt({ id }: Session, { client, toasts }: World): PaletteEntry {
  const run = () =>
    void client
      .interrupt(id)
      .catch((failure: unknown) => toasts.fail("The turn was not interrupted", failure));
  return { id: "interrupt", words: "Interrupt the turn", note: "Esc Esc", run };
}

function toColour(session: Session, world: World): readonly PaletteEntry[] {
  return colours
    .filter((colour) => colour !== session.colour)
    .map((colour) => ({
      id: `colour-${colour}`,
      words: `Colour: ${colour}`,
      note: "this session",
      colour,
      run: () => void changeSession(world, session, { colour }),
    }));
}

/** Entries in which all words stand, those that begin with the text first. */
export function found(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const whole = ({ words: name, note = "" }: PaletteEntry) => `${name} ${note}`.toLowerCase();
  const fits = entries.filter((entry) => words.every((word) => whole(entry).includes(word)));
  const first = words[0];
  if (first === undefined) return fits;
  return fits.toSorted((a, b) => Number(!begins(a, first)) - Number(!begins(b, first)));
}

function begins({ words }: PaletteEntry, text: string): boolean {
  return words.toLowerCase().startsWith(text);
}
