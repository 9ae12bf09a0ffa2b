import type { LineSink } from "@signalbox/host/plain-lines";
import type { RunEnd } from "@signalbox/host";

/** What the agent has reported about itself so far. */
export interface AgentIntroduction {
  readonly folder?: string;
  readonly path?: string;
  readonly version?: string;
}

/** How an agent exchanges lines over its sockets, one socket after another: plain lines, or numbered ones. */
export interface DialProtocol {
  /** Settles when enough is known of the agent for its run to begin. */
  readonly ready: Promise<AgentIntroduction>;
  /**
   * A socket is open. `again`: it replaces an earlier one, of this process or the previous one.
   * `lastSaid`: the id of the last message that the agent says it has sent.
   */
  attached(again: boolean, lastMessageId: string | null): void;
  detached(): void;
  received(text: string): void;
  /** A line for the agent. It is kept for as long as it may have been lost. */
  send(line: string): void;
  /** This many of the agent's lines are in the log. */
  stored(count: number): void;
  /** Asks the agent to end. False: the only way is to disconnect it. */
  stop(): boolean;
}

/** What a protocol may do to its connection. */
export interface DialProtocolOutput extends LineSink {
  /** This many of the agent's lines, which a hub had acknowledged, are lost. */
  missed(lines: number): void;
  /** The agent's process has ended. */
  end(end: RunEnd): void;
}
