import type { SessionSummary } from "@signalbox/api";
import type { BoardListener } from "../fan-out/board-changes.ts";
import type { SessionRow } from "../store/store.ts";

export type DialState = NonNullable<SessionSummary["dialled"]>;

/** Which agents that dial in are connected. The relay reports it; sessions show it. */
export class DialStates {
  readonly #hasRelay: boolean;
  readonly #changes: BoardListener;
  readonly #bySession = new Map<string, DialState>();

  constructor(hasRelay: boolean, changes: BoardListener) {
    this.#hasRelay = hasRelay;
    this.#changes = changes;
  }

  /** Undefined: the session's agent does not dial in, or this hub lets no agent dial in. */
  get({ id, driver, createdAt }: SessionRow): DialState | undefined {
    if (!this.#hasRelay || driver !== "relay") return undefined;
    return this.#bySession.get(id) ?? { connected: false, since: createdAt };
  }

  /** Undefined: the agent is gone. */
  set(session: string, state: DialState | undefined): void {
    if (state) this.#bySession.set(session, state);
    else this.#bySession.delete(session);
    this.#changes.sessionChanged(session);
  }
}
