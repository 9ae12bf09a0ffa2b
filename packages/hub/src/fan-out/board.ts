import type { AskView, HubFrame, ProjectView, RunnerView } from "@signalbox/api";
import type { SessionSummary } from "../engine.ts";
import { frameBytes } from "./frame-bytes.ts";
import type { Outlet } from "./outlet.ts";

/** Changes of the board are told together, at most so often. */
const BOARD_MS = 100;

/** Where the board's views come from, as they are now. */
export interface BoardSource {
  sessions(): SessionSummary[];
  session(id: string): SessionSummary | undefined;
  asks(): AskView[];
  ask(id: string): AskView | undefined;
  projects(): ProjectView[];
  runners(): RunnerView[];
  trouble(): string | null;
}

interface Dirty {
  readonly sessions: Set<string>;
  readonly asks: Set<string>;
  around: boolean;
}

/** Everybody's board. Each watcher is told what changed since it was last told, as it is now. */
export class Board {
  readonly #source: BoardSource;
  readonly #watchers = new Map<Outlet, Dirty | "new">();
  readonly #breathless = new Set<Outlet>();
  #closed = false;
  #rev = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: BoardSource) {
    this.#source = source;
  }

  watch(outlet: Outlet): void {
    this.#watchers.set(outlet, "new");
    this.#schedule();
  }

  leave(outlet: Outlet): void {
    this.#watchers.delete(outlet);
  }

  sessionChanged(id: string): void {
    this.#mark((dirty) => dirty.sessions.add(id));
  }

  askChanged(id: string): void {
    this.#mark((dirty) => dirty.asks.add(id));
  }

  /** Runners, or trouble with the store. */
  aroundChanged(): void {
    this.#mark((dirty) => (dirty.around = true));
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#watchers.clear();
  }

  #mark(mark: (dirty: Dirty) => void): void {
    this.#rev++;
    for (const [outlet, dirty] of this.#watchers) {
      if (dirty === "new") continue;
      mark(dirty);
      if (!this.#breathless.has(outlet)) this.#schedule();
    }
  }

  /** One who is behind is told when it has caught its breath, and then all at once. */
  async #tellWhenReady(outlet: Outlet, bytes: number): Promise<void> {
    this.#breathless.add(outlet);
    await outlet.room(bytes);
    this.#breathless.delete(outlet);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tell();
    }, BOARD_MS);
  }

  #tell(): void {
    const ready = new Map<string, string>(); // most watchers miss the same
    for (const [outlet, dirty] of this.#watchers) {
      if (outlet.closed) {
        this.#watchers.delete(outlet);
      } else if (!this.#breathless.has(outlet)) {
        const key = dirty === "new" ? "new" : keyOf(dirty);
        if (key === "") continue;
        const frame = ready.get(key) ?? JSON.stringify(this.#frame(dirty));
        ready.set(key, frame);
        if (!outlet.fits(frameBytes(frame))) {
          void this.#tellWhenReady(outlet, frameBytes(frame));
          continue;
        }
        this.#watchers.set(outlet, { sessions: new Set(), asks: new Set(), around: false });
        outlet.send(frame);
      }
    }
  }

  #frame(dirty: Dirty | "new"): HubFrame {
    const source = this.#source;
    const around = {
      projects: source.projects(),
      runners: source.runners(),
      trouble: source.trouble(),
    };
    const head = { type: "board" as const, rev: this.#rev };
    if (dirty === "new") {
      const all = { sessions: source.sessions() as never[], asks: source.asks() };
      return { ...head, reset: true, ...all, ...around, gone: [] };
    }
    const views = [...dirty.sessions].map((id) => ({ id, view: source.session(id) }));
    return {
      ...head,
      reset: false,
      sessions: views.flatMap(({ view }) => (view ? [view as never] : [])),
      asks: [...dirty.asks].flatMap((id) => source.ask(id) ?? []),
      gone: views.flatMap(({ id, view }) => (view ? [] : [id])),
      ...(dirty.around || dirty.sessions.size > 0 ? around : {}),
    };
  }
}

function keyOf({ sessions, asks, around }: Dirty): string {
  if (sessions.size === 0 && asks.size === 0 && !around) return "";
  return `${[...sessions].join()}/${[...asks].join()}/${around}`;
}
