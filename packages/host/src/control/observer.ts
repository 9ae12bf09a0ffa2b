import type { Line } from "@signalbox/protocol";
import type { Run } from "../launch/driver.ts";

/** Receives every line between a host and its agent, in both directions and in order. */
export interface LineObserver {
  /** Called when the run has started, before anything of it is read. */
  onStart?(run: Run): void;
  /**
   * Called with lines of the agent before the host handles them. The host handles them, and reads
   * more, once the promise settles: a slow observer slows down the agent, and nothing is lost.
   */
  onIncoming(lines: readonly Line[]): Promise<void> | undefined;
  /** Called before a line is sent, so that the agent's reply always comes after it. */
  onOutgoing(line: string): void;
  /** Called when a line given to `onOutgoing` did not reach the agent. */
  onSendFailed?(line: string, failure: unknown): void;
  /** Called when the run has ended and no more lines come. Not called if the run never started. */
  onEnd?(): void;
}
