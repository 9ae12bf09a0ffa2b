import type { CloseReason } from "../close-reason.ts";
import type { Line } from "../framing/line.ts";

/** Carries whole lines in both directions. The numbered rules are in docs/spec/transport.md. */
export interface Transport<Reason extends CloseReason = CloseReason> extends AsyncDisposable {
  /**
   * The lines that the peer sends, in batches. Reading makes room for more; it ends when the peer
   * disconnects.
   */
  readonly incoming: AsyncIterable<readonly Line[]>;
  /** Sends one line, given without its line end. Resolves when there is room for the next one. */
  send(line: string): Promise<void>;
  /** Settles once, with the reason, and never rejects. */
  readonly closed: Promise<Reason>;
  /** Ends the connection. May be called any number of times. */
  close(): Promise<void>;
}
