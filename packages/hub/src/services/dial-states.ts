import type { SessionSummary } from "@signalbox/api";
import type { BoardListener } from "../fan-out/board-changes.ts";
import type { SessionRow } from "../store/store.ts";

export type DialState = NonNullable<SessionSummary["dialled"]>;

/** Which agents that dial in are connected. The relay reports this, and sessions show it. */
export class DialStates {
  readonly #hasRelay: boolean;
  readonly #changes: BoardListener;
  readonly #bySession = new Map<string, DialState>();

  constructor(hasRelay: boolean, changes: BoardListener) {
    this.#hasRelay = hasRelay;
    this.#changes = changes;
  }

  /**
   * The state of a session's connection; undefined if its agent does not dial in, or if this hub has no
   * relay.
   */
  get({ id, driver, createdAt }: SessionRow): DialState | undefined {
    if (!this.#hasRelay || driver !== "relay") return undefined;
    return this.#bySession.get(id) ?? { connected: false, since: createdAt };
  }

  /** Sets the state of a session's connection; undefined: its agent is gone. */
  set(session: string, state: DialState | undefined): void {
    if (state) this.#bySession.set(session, state);
    else this.#bySession.delete(session);
    this.#changes.sessionChanged(session);
  }
}
