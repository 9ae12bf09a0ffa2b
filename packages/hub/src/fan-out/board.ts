import type {
  AskView,
  HubFrame,
  ProjectView,
  RunnerView,
  SessionPatch,
  SessionSummary,
  TerminalView,
} from "@signalbox/api";
import type { BoardChanges, BoardListener } from "./board-changes.ts";
import { countFrameBytes } from "./frame-bytes.ts";
import type { ClientChannel } from "./client-channel.ts";
import { diffSession, isQuiet } from "./session-patch.ts";

/** Changes of the board are collected and sent together, at most once in this time. */
const UPDATE_INTERVAL_MS = 100;
/** That a session is still active, and nothing else about it, is sent at most once in this time. */
const QUIET_INTERVAL_MS = 3000;

/** Where the board reads its current rows from. */
interface BoardSource {
  listSessions(): SessionSummary[];
  findSession(id: string): SessionSummary | undefined;
  listAsks(): AskView[];
  findAsk(id: string): AskView | undefined;
  listProjects(): ProjectView[];
  listRunners(): RunnerView[];
  listTerminals(): TerminalView[];
  getTrouble(): string | null;
}

interface DirtyParts {
  readonly sessions: Set<string>;
  /** Dirty sessions of which the client missed an update, so that a patch would not fit. */
  readonly missed: Set<string>;
  readonly asks: Set<string>;
  hub: boolean;
}

interface Watcher {
  /** Whether the client understands patches. */
  readonly patches: boolean;
  dirty: DirtyParts | "new";
}

/** A session as it was last sent to all clients that were not behind. */
interface SentSession {
  readonly view: SessionSummary;
  readonly at: number;
}

/** What is sent about a session at one time. */
interface SessionUpdate {
  readonly view: SessionSummary | undefined;
  readonly patch: SessionPatch | undefined;
}

type BoardFrame = Extract<HubFrame, { type: "board" }>;
/** The lists beside sessions and asks. They are sent whole when one of them has changed. */
type Lists = Pick<BoardFrame, "projects" | "runners" | "terminals" | "trouble">;

/**
 * The board. Each client is sent what has changed since its last update: a patch for each session that it
 * has, or the whole session if it missed an update or does not understand patches.
 */
export class Board implements BoardListener {
  readonly #source: BoardSource;
  readonly #unsubscribe: () => void;
  readonly #watchers = new Map<ClientChannel, Watcher>();
  readonly #waitingForRoom = new Set<ClientChannel>();
  readonly #sent = new Map<string, SentSession>();
  #sentLists = "";
  #closed = false;
  #rev = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: BoardSource, changes: BoardChanges) {
    this.#source = source;
    this.#unsubscribe = changes.subscribe(this);
  }

  watch(channel: ClientChannel, patches = false): void {
    this.#watchers.set(channel, { patches, dirty: "new" });
    this.#schedule();
  }

  leave(channel: ClientChannel): void {
    this.#watchers.delete(channel);
  }

  sessionChanged(id: string): void {
    const isFollowed = [...this.#watchers.values()].some(({ dirty }) => dirty !== "new");
    if (!isFollowed) this.#sent.delete(id); // nobody has the state before this change
    this.#mark((dirty) => dirty.sessions.add(id));
  }

  askChanged(id: string): void {
    this.#mark((dirty) => dirty.asks.add(id));
  }

  /** Called when the list of runners has changed, or whether the store can be written. */
  hubChanged(): void {
    this.#mark((dirty) => (dirty.hub = true));
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    this.#watchers.clear();
  }

  #mark(mark: (dirty: DirtyParts) => void): void {
    this.#rev++;
    for (const [channel, { dirty }] of this.#watchers) {
      if (dirty === "new") continue;
      mark(dirty);
      if (!this.#waitingForRoom.has(channel)) this.#schedule();
    }
  }

  /** A slow client gets one update with all changes once it is below its limit. */
  async #retryWhenRoom(channel: ClientChannel, bytes: number): Promise<void> {
    this.#waitingForRoom.add(channel);
    await channel.waitForRoom(bytes);
    this.#waitingForRoom.delete(channel);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#sendUpdates();
    }, UPDATE_INTERVAL_MS);
  }

  #sendUpdates(): void {
    const updates = this.#collectUpdates();
    const lists = this.#readLists();
    const ready = new Map<string, string>(); // most clients need the same update, so each is serialized once
    let isHeldBack = false;
    for (const [channel, watcher] of this.#watchers) {
      const { dirty } = watcher;
      if (channel.closed) {
        this.#watchers.delete(channel);
        continue;
      }
      if (this.#waitingForRoom.has(channel)) {
        markMissed(dirty, updates);
        continue;
      }
      const heldBack = dirty === "new" ? [] : [...dirty.sessions].filter((id) => !updates.has(id));
      isHeldBack ||= heldBack.length > 0;
      const key = getKey(watcher, updates);
      if (key === "") continue;
      const frame = ready.get(key) ?? JSON.stringify(this.#createFrame(watcher, updates, lists));
      ready.set(key, frame);
      if (!channel.fits(countFrameBytes(frame))) {
        markMissed(dirty, updates);
        void this.#retryWhenRoom(channel, countFrameBytes(frame));
        continue;
      }
      const missed = dirty === "new" ? [] : heldBack.filter((id) => dirty.missed.has(id));
      watcher.dirty = {
        sessions: new Set(heldBack),
        missed: new Set(missed),
        asks: new Set(),
        hub: false,
      };
      channel.send(frame);
    }
    if (isHeldBack) this.#schedule();
  }

  /** The changed sessions that are sent now; those that only stayed active wait a little. */
  #collectUpdates(): Map<string, SessionUpdate> {
    const ids = new Set<string>();
    for (const { dirty } of this.#watchers.values()) {
      if (dirty !== "new") for (const id of dirty.sessions) ids.add(id);
    }
    const updates = new Map<string, SessionUpdate>();
    const now = performance.now();
    for (const id of ids) {
      const view = this.#source.findSession(id);
      const sent = this.#sent.get(id);
      const patch = view && sent && diffSession(sent.view, view);
      if (patch && isQuiet(patch) && now - sent.at < QUIET_INTERVAL_MS) continue;
      if (view) this.#sent.set(id, { view, at: now });
      else this.#sent.delete(id);
      updates.set(id, { view, patch });
    }
    return updates;
  }

  /** Reads the lists, and marks them for all clients if one of them has changed. */
  #readLists(): Lists {
    const source = this.#source;
    const lists = {
      projects: source.listProjects(),
      runners: source.listRunners(),
      terminals: source.listTerminals(),
      trouble: source.getTrouble(),
    };
    const text = JSON.stringify(lists);
    if (text !== this.#sentLists) {
      this.#sentLists = text;
      for (const { dirty } of this.#watchers.values()) if (dirty !== "new") dirty.hub = true;
    }
    return lists;
  }

  #createFrame(
    { dirty, patches }: Watcher,
    updates: ReadonlyMap<string, SessionUpdate>,
    lists: Lists,
  ): HubFrame {
    const source = this.#source;
    const head = { type: "board" as const, rev: this.#rev };
    if (dirty === "new") {
      const all = { sessions: source.listSessions() as never[], asks: source.listAsks() };
      return { ...head, reset: true, ...all, ...lists, gone: [] };
    }
    const changed = [...dirty.sessions].flatMap((id) => {
      const update = updates.get(id);
      return update ? [{ id, ...update, isPatched: patches && !dirty.missed.has(id) }] : [];
    });
    const patched = changed.flatMap(({ patch, isPatched }) => (patch && isPatched ? [patch] : []));
    return {
      ...head,
      reset: false,
      sessions: changed.flatMap(({ view, patch, isPatched }) =>
        view && !(patch && isPatched) ? [view as never] : [],
      ),
      ...(patched.length > 0 && { patches: patched }),
      asks: [...dirty.asks].flatMap((id) => source.findAsk(id) ?? []),
      gone: changed.flatMap(({ id, view }) => (view ? [] : [id])),
      ...(dirty.hub && lists),
    };
  }
}

/** A client that is not sent these updates needs these sessions whole the next time. */
function markMissed(dirty: Watcher["dirty"], updates: ReadonlyMap<string, SessionUpdate>): void {
  if (dirty === "new") return;
  for (const id of dirty.sessions) if (updates.has(id)) dirty.missed.add(id);
}

/** Names the frame that a client needs; empty if it needs none. */
function getKey({ dirty, patches }: Watcher, updates: ReadonlyMap<string, SessionUpdate>): string {
  if (dirty === "new") return "new";
  const sent = [...dirty.sessions].filter((id) => updates.has(id));
  if (sent.length === 0 && dirty.asks.size === 0 && !dirty.hub) return "";
  const whole = patches ? sent.filter((id) => dirty.missed.has(id)) : ["all"];
  return [sent, whole, [...dirty.asks], [dirty.hub]].map((part) => part.join()).join("/");
}
