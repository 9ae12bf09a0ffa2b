import type { CloseReason } from "../close-reason.ts";
import type { Line } from "../framing/line.ts";

/** Carries whole lines, both ways. docs/spec/transport.md has the rules, numbered. */
export interface Transport<Reason extends CloseReason = CloseReason> extends AsyncDisposable {
  /** What the peer says, in batches. Reading makes room for more; ends when the peer is gone. */
  readonly incoming: AsyncIterable<readonly Line[]>;
  /** Sends one line, given without its line end. Resolves when there is room for the next. */
  send(line: string): Promise<void>;
  /** Settles once, with the reason, and never rejects. */
  readonly closed: Promise<Reason>;
  /** Ends the connection. May be called any number of times. */
  close(): Promise<void>;
}
