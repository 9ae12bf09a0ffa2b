import type { OutgoingMessage } from "../agent.ts";

type State = "idle" | "running" | "requires_action";

/** Reports to hosts whether the agent works, waits for them, or is idle. */
export class LoopState {
  readonly #say: ((state: State) => void) | undefined;
  #asks = 0;
  #isRunning = false;

  constructor(
    environment: Readonly<Record<string, string | undefined>>,
    say: (message: OutgoingMessage) => void,
  ) {
    const isPublic = Boolean(environment["CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS"]);
    const isRead = Boolean(environment["CLAUDE_CODE_SDK_READS_SESSION_STATE"]);
    if (!isPublic && !isRead) return;
    const more = isPublic ? {} : { sdk_host_only: true };
    this.#say = (state) =>
      say({ type: "system", subtype: "session_state_changed", state, ...more });
  }

  running(): void {
    if (!this.#isRunning) this.#say?.("running");
    this.#isRunning = true;
  }

  idle(): void {
    this.#isRunning = false;
    this.#say?.("idle");
  }

  /** Reports that the host is asked something. Several asks may be open, and each is reported. */
  asking(): void {
    this.#asks++;
    this.#say?.("requires_action");
  }

  answered(): void {
    if (--this.#asks === 0) this.#say?.("running");
  }
}
