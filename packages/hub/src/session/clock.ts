import type { AskView } from "@signalbox/api";
import type { Session } from "./session.ts";

const TICK_MS = 1000;
/** An idle session gives its process back after this long. */
const PARK_MS = 15 * 60_000;
/** A tick that comes so late was slept through: nothing is done on old news. */
const SLEPT_MS = 60_000;

export interface ClockWork {
  sessions(): readonly Session[];
  asks(): readonly AskView[];
  /** Whether its process is wanted back at once: its runner is to be replaced, and nobody works there. */
  isInTheWay(session: Session): boolean;
  park(session: Session): Promise<unknown>;
  expire(ask: AskView): Promise<unknown>;
  endBypass(session: Session): Promise<unknown>;
}

/** What happens because time passes. Time is counted in ticks that were lived through, not by the clock. */
export class Clock {
  readonly #work: ClockWork;
  readonly #parkMs: number;
  readonly #timer: ReturnType<typeof setInterval>;
  /** How long each idle session has been idle, and each ask open, in time lived through. */
  readonly #idle = new Map<string, number>();
  readonly #open = new Map<string, number>();
  readonly #bypass = new Map<string, { readonly until: number; readonly left: number }>();
  #last = performance.now();

  constructor(work: ClockWork, options: { tickMs?: number; parkMs?: number } = {}) {
    this.#work = work;
    this.#parkMs = options.parkMs ?? PARK_MS;
    this.#timer = setInterval(() => this.tick(), options.tickMs ?? TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  tick(): void {
    const now = performance.now();
    const passed = now - this.#last;
    this.#last = now;
    this.#bypasses(passed);
    if (passed > SLEPT_MS) return;
    this.#parking(passed);
    this.#expiring(passed);
    for (const session of this.#work.sessions()) {
      session.listen();
      session.release();
    }
  }

  #parking(passed: number): void {
    for (const session of this.#work.sessions()) {
      if (!session.idle) {
        this.#idle.delete(session.id);
        continue;
      }
      const idle = (this.#idle.get(session.id) ?? 0) + passed;
      this.#idle.set(session.id, idle);
      if (idle < this.#parkMs && !this.#work.isInTheWay(session)) continue;
      this.#idle.delete(session.id);
      this.#work.park(session).catch(() => {}); // the runner is away: another time
    }
  }

  #expiring(passed: number): void {
    const open = new Set<string>();
    for (const ask of this.#work.asks()) {
      if (ask.expiresAt === undefined) continue;
      open.add(ask.id);
      const waited = (this.#open.get(ask.id) ?? 0) + passed;
      this.#open.set(ask.id, waited);
      if (waited >= ask.expiresAt - ask.openedAt) this.#work.expire(ask).catch(() => {});
    }
    for (const id of this.#open.keys()) if (!open.has(id)) this.#open.delete(id);
  }

  /** A bypass ends by the clock on the wall, or in time lived through if somebody sets that clock back. */
  #bypasses(passed: number): void {
    for (const session of this.#work.sessions()) {
      const { bypassUntil: until } = session.row;
      const known = this.#bypass.get(session.id);
      if (until === null) {
        this.#bypass.delete(session.id);
        continue;
      }
      const left = known?.until === until ? known.left - passed : until - Date.now();
      this.#bypass.set(session.id, { until, left });
      if (left > 0 && Date.now() < until) continue;
      this.#work.endBypass(session).catch(() => {}); // tried again with the next tick
    }
  }
}
