import type { Line } from "@signalbox/protocol";
import type { Run } from "../launch/driver.ts";

/** Sees every line between a host and its agent, both ways and in the order in which they pass. */
export interface LineObserver {
  /** The run has started, and nothing of it was read yet. */
  onStart?(run: Run): void;
  /**
   * Lines of the agent's have come, and nobody has acted on them yet. The host acts on them, and reads
   * more, once the promise settles: a slow observer slows the agent, and nothing is lost.
   */
  onIncoming(lines: readonly Line[]): Promise<void> | undefined;
  /** A line is about to be sent, so that whatever the agent replies to it comes after it. */
  onOutgoing(line: string): void;
  /** A line that `onOutgoing` was told of did not reach the agent. */
  onSendFailed?(line: string, failure: unknown): void;
  /** The run is over, and no line comes any more. Not called when the run never started. */
  onEnd?(): void;
}
