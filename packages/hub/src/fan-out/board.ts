import type { AskView, HubFrame, ProjectView, RunnerView, TerminalView } from "@signalbox/api";
import type { SessionSummary } from "@signalbox/api";
import type { BoardChanges, BoardListener } from "./board-changes.ts";
import { countFrameBytes } from "./frame-bytes.ts";
import type { ClientChannel } from "./client-channel.ts";

/** Changes of the board are collected and sent together, at most once in this time. */
const UPDATE_INTERVAL_MS = 100;

/** Where the board reads its current rows from. */
export interface BoardSource {
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
  readonly asks: Set<string>;
  hub: boolean;
}

/** The board. Each client is sent what has changed since its last update, in its current state. */
export class Board implements BoardListener {
  readonly #source: BoardSource;
  readonly #unsubscribe: () => void;
  readonly #watchers = new Map<ClientChannel, DirtyParts | "new">();
  readonly #waitingForRoom = new Set<ClientChannel>();
  #closed = false;
  #rev = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: BoardSource, changes: BoardChanges) {
    this.#source = source;
    this.#unsubscribe = changes.subscribe(this);
  }

  watch(outlet: ClientChannel): void {
    this.#watchers.set(outlet, "new");
    this.#schedule();
  }

  leave(outlet: ClientChannel): void {
    this.#watchers.delete(outlet);
  }

  sessionChanged(id: string): void {
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
    for (const [outlet, dirty] of this.#watchers) {
      if (dirty === "new") continue;
      mark(dirty);
      if (!this.#waitingForRoom.has(outlet)) this.#schedule();
    }
  }

  /** A slow client gets one update with all changes once it is below its limit. */
  async #retryWhenRoom(outlet: ClientChannel, bytes: number): Promise<void> {
    this.#waitingForRoom.add(outlet);
    await outlet.waitForRoom(bytes);
    this.#waitingForRoom.delete(outlet);
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
    const ready = new Map<string, string>(); // most clients need the same update, so each is serialized once
    for (const [outlet, dirty] of this.#watchers) {
      if (outlet.closed) {
        this.#watchers.delete(outlet);
      } else if (!this.#waitingForRoom.has(outlet)) {
        const key = dirty === "new" ? "new" : getKey(dirty);
        if (key === "") continue;
        const frame = ready.get(key) ?? JSON.stringify(this.#createFrame(dirty));
        ready.set(key, frame);
        if (!outlet.fits(countFrameBytes(frame))) {
          void this.#retryWhenRoom(outlet, countFrameBytes(frame));
          continue;
        }
        this.#watchers.set(outlet, { sessions: new Set(), asks: new Set(), hub: false });
        outlet.send(frame);
      }
    }
  }

  #createFrame(dirty: DirtyParts | "new"): HubFrame {
    const source = this.#source;
    const around = {
      projects: source.listProjects(),
      runners: source.listRunners(),
      terminals: source.listTerminals(),
      trouble: source.getTrouble(),
    };
    const head = { type: "board" as const, rev: this.#rev };
    if (dirty === "new") {
      const all = { sessions: source.listSessions() as never[], asks: source.listAsks() };
      return { ...head, reset: true, ...all, ...around, gone: [] };
    }
    const views = [...dirty.sessions].map((id) => ({ id, view: source.findSession(id) }));
    return {
      ...head,
      reset: false,
      sessions: views.flatMap(({ view }) => (view ? [view as never] : [])),
      asks: [...dirty.asks].flatMap((id) => source.findAsk(id) ?? []),
      gone: views.flatMap(({ id, view }) => (view ? [] : [id])),
      ...(dirty.hub || dirty.sessions.size > 0 ? around : {}),
    };
  }
}

function getKey({ sessions, asks, hub: around }: DirtyParts): string {
  if (sessions.size === 0 && asks.size === 0 && !around) return "";
  return `${[...sessions].join()}/${[...asks].join()}/${around}`;
}
