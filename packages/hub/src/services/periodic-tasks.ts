import type { AskView } from "@signalbox/api";
import type { EngineClocks } from "../clocks.ts";
import type { Session } from "../session/session.ts";

const TICK_MS = 1000;
/** How long a session is idle before its process is ended to free memory. */
const IDLE_BEFORE_PARK_MS = 15 * 60_000;
/**
 * A tick that is this late means that the machine slept. It is skipped, because what the hub knows may be
 * outdated.
 */
const SLEEP_GAP_MS = 60_000;
const TIDY_MS = 60_000;

interface PeriodicTaskHandlers {
  listSessions(): readonly Session[];
  listAsks(): readonly AskView[];
  /** Whether the session must park at once, because its idle runner is about to be replaced. */
  mustParkNow(session: Session): boolean;
  park(session: Session): Promise<unknown>;
  expire(ask: AskView): Promise<unknown>;
  endBypass(session: Session): Promise<unknown>;
  /** Ends runs of sessions in the trash. */
  stopTrashed(): void;
  /** Archives and deletes what is due. */
  tidy(): Promise<unknown>;
}

/**
 * Work that is due after a time: parking, expiring asks, ending a bypass, tidying. Time is counted in ticks, so that
 * the machine's sleep does not count.
 */
export class PeriodicTasks {
  readonly #handlers: PeriodicTaskHandlers;
  readonly #parkMs: number;
  readonly #clocks: EngineClocks;
  readonly #stopTicking: () => void;
  /** How long each session has been idle and each ask open, without the time that the machine slept. */
  readonly #idleMs = new Map<string, number>();
  readonly #openMs = new Map<string, number>();
  readonly #bypasses = new Map<string, { readonly until: number; readonly left: number }>();
  #lastTick: number;
  #sinceTidyMs = 0;

  constructor(
    work: PeriodicTaskHandlers,
    clocks: EngineClocks,
    options: { tickMs?: number; parkMs?: number } = {},
  ) {
    this.#handlers = work;
    this.#clocks = clocks;
    this.#parkMs = options.parkMs ?? IDLE_BEFORE_PARK_MS;
    this.#lastTick = clocks.steady();
    this.#stopTicking = clocks.every(options.tickMs ?? TICK_MS, () => this.#tick());
  }

  stop(): void {
    this.#stopTicking();
  }

  #tick(): void {
    const now = this.#clocks.steady();
    const elapsedMs = now - this.#lastTick;
    this.#lastTick = now;
    this.#endBypasses(elapsedMs);
    if (elapsedMs > SLEEP_GAP_MS) return;
    this.#handlers.stopTrashed();
    this.#parkIdleSessions(elapsedMs);
    this.#expireAsks(elapsedMs);
    this.#tidy(elapsedMs);
    for (const session of this.#handlers.listSessions()) {
      session.checkSilence();
      session.releaseMemory();
    }
  }

  #parkIdleSessions(elapsedMs: number): void {
    for (const session of this.#handlers.listSessions()) {
      if (!session.idle) {
        this.#idleMs.delete(session.id);
        continue;
      }
      const idle = (this.#idleMs.get(session.id) ?? 0) + elapsedMs;
      this.#idleMs.set(session.id, idle);
      if (idle < this.#parkMs && !this.#handlers.mustParkNow(session)) continue;
      this.#idleMs.delete(session.id);
      this.#handlers.park(session).catch(() => {}); // the runner is away; the next tick tries again
    }
  }

  #tidy(elapsedMs: number): void {
    this.#sinceTidyMs += elapsedMs;
    if (this.#sinceTidyMs < TIDY_MS) return;
    this.#sinceTidyMs = 0;
    void this.#handlers.tidy();
  }

  #expireAsks(elapsedMs: number): void {
    const open = new Set<string>();
    for (const ask of this.#handlers.listAsks()) {
      if (ask.expiresAt === undefined) continue;
      open.add(ask.id);
      const waited = (this.#openMs.get(ask.id) ?? 0) + elapsedMs;
      this.#openMs.set(ask.id, waited);
      if (waited >= ask.expiresAt - ask.openedAt) this.#handlers.expire(ask).catch(() => {});
    }
    for (const id of this.#openMs.keys()) if (!open.has(id)) this.#openMs.delete(id);
  }

  /** Ends a bypass by the system clock, or by counted time if somebody has set that clock back. */
  #endBypasses(elapsedMs: number): void {
    const now = this.#clocks.now();
    for (const session of this.#handlers.listSessions()) {
      const { bypassUntil: until } = session.row;
      const known = this.#bypasses.get(session.id);
      if (until === null) {
        this.#bypasses.delete(session.id);
        continue;
      }
      const left = known?.until === until ? known.left - elapsedMs : until - now;
      this.#bypasses.set(session.id, { until, left });
      if (left > 0 && now < until) continue;
      this.#handlers.endBypass(session).catch(() => {}); // the next tick tries again
    }
  }
}
