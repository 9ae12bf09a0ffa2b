import type { LineSink } from "@signalbox/host/plain-lines";
import type { RunEnd } from "@signalbox/host";

/** Who the agent is, as far as it has said. */
export interface Introduction {
  readonly folder?: string;
  readonly path?: string;
  readonly version?: string;
}

/** How an agent speaks over its sockets, one after another: in plain lines, or in numbered ones. */
export interface Speech {
  /** Settles when enough is known of the agent for a run to begin. */
  readonly ready: Promise<Introduction>;
  /**
   * A socket is there; `again`: in place of an earlier one, of this process or of the last. `lastSaid`:
   * what the agent says it has said last.
   */
  attached(again: boolean, lastSaid: string | null): void;
  detached(): void;
  received(text: string): void;
  /** A line for the agent. It is kept as long as it may have been lost. */
  send(line: string): void;
  /** The log has so many lines of the agent's. */
  stored(count: number): void;
  /** Asks the agent to end; false: it can only be hung up on. */
  stop(): boolean;
}

/** What a speech needs of the connection. */
export interface Wire extends LineSink {
  /** So many of the agent's lines, which a hub had acknowledged, are nowhere any more. */
  missed(lines: number): void;
  /** The agent's process is over. */
  end(end: RunEnd): void;
}
