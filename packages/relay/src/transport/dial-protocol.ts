import type { LineSink } from "@signalbox/host/plain-lines";
import type { RunEnd } from "@signalbox/host";

/** What the agent has said about itself so far. */
export interface AgentIntroduction {
  readonly folder?: string;
  readonly path?: string;
  readonly version?: string;
}

/** How an agent exchanges lines over its sockets, one socket after another: plain lines, or numbered ones. */
export interface DialProtocol {
  /** Settles when enough is known of the agent for a run to begin. */
  readonly ready: Promise<AgentIntroduction>;
  /**
   * A socket is there; `again`: in place of an earlier one, of this process or of the last. `lastSaid`:
   * what the agent says it has said last.
   */
  attached(again: boolean, lastMessageId: string | null): void;
  detached(): void;
  received(text: string): void;
  /** A line for the agent. It is kept as long as it may have been lost. */
  send(line: string): void;
  /** This many of the agent's lines are in the log. */
  stored(count: number): void;
  /** Asks the agent to end; false: it can only be hung up on. */
  stop(): boolean;
}

/** What a protocol may do to the connection it runs over. */
export interface DialProtocolOutput extends LineSink {
  /** So many of the agent's lines, which a hub had acknowledged, are nowhere any more. */
  missed(lines: number): void;
  /** The agent's process has ended. */
  end(end: RunEnd): void;
}
