import type { Transport } from "@signalbox/protocol";
import type { HostAnswer } from "@signalbox/protocol/control";
import type { AgentTerminal, TerminalAnswer } from "./agent-terminal.ts";
import type { IsolationState } from "./isolation-state.ts";
import type { Launch } from "./launch.ts";
import type { RunEnd } from "./run-end.ts";

/** What a driver can do with its agent. The page offers only what is true here. */
export interface Capabilities {
  /** Text arrives while it is written. */
  readonly streaming: boolean;
  /** The agent asks before it acts, and waits for the answer. */
  readonly permissions: boolean;
  /** An earlier conversation can be resumed. */
  readonly resume: boolean;
  /** An earlier conversation can be copied, leaving the original unchanged. */
  readonly fork: boolean;
  /** Prompts may contain images; otherwise images are saved as files and named in the prompt. */
  readonly images: boolean;
  /** Messages of subagents are distinguished from those of the main agent. */
  readonly subagents: boolean;
  /** Files can be restored to their state at a message. */
  readonly rewind: boolean;
  /** A message sent during a turn reaches the agent in that turn. */
  readonly steering: boolean;
  /** Background tasks can be stopped one by one. */
  readonly stopTasks: boolean;
  /** The agent shows itself in a terminal, which people can watch and type into. */
  readonly terminal?: boolean;
}

/** Which program a run talks to. */
export interface AgentFacts {
  readonly path: string;
  readonly version: string;
  /** Tested: our tests run exactly this version. Untested: newer or in between. */
  readonly versionClass: "tested" | "untested" | "unsupported";
}

/**
 * A field of the launch that this version of the agent does not support, and why. It was not sent.
 */
export interface UnsupportedOption {
  readonly option: string;
  readonly why: string;
}

/**
 * One process of an agent. Code above a driver uses only lines, an end with a reason, and
 * capabilities.
 */
export interface Run extends Transport<RunEnd> {
  readonly driver: string;
  readonly capabilities: Capabilities;
  readonly agent: AgentFacts;
  readonly unsupportedOptions: readonly UnsupportedOption[];
  /** Undefined if the driver does not isolate, or did not start the agent. */
  readonly isolation?: IsolationState;
  /**
   * The control requests that this agent answers; undefined: all of them, at least with a refusal.
   */
  readonly supportedRequests?: ReadonlySet<string>;
  /** The real path of the folder in which the agent works. */
  readonly folder: string;
  /** The agent's process, if it runs on this machine. */
  readonly pid?: number | undefined;
  /** The end of the agent's error output. */
  readonly stderr: string;
  /** The agent's answer to the `initialize` of an earlier host; it is not initialized again. */
  readonly initialized?: HostAnswer<"initialize">;
  /** The run continues one of an earlier host and has started long ago. */
  readonly continues?: boolean;
  /** Requests of the agent to the earlier host, as lines, that nobody has answered. */
  readonly pendingRequests?: readonly string[];
  /**
   * Another program is the agent's host and we see the same messages: only requests for a person
   * are answered here.
   */
  readonly hasOtherHost?: boolean;
  /** The terminal in which the agent shows itself, if it does. */
  readonly terminal?: AgentTerminal;
  /** Called with information for a person that is in no line. */
  onRemark?: ((text: string, facts?: RemarkFacts) => void) | undefined;
  /**
   * Called with an answer that a person gave in the agent's terminal, after the line of the request.
   * Returns false if nobody waits for it.
   */
  onAnswered?: ((answer: TerminalAnswer) => boolean) | undefined;
}

export interface RemarkFacts {
  readonly level?: "info" | "warning";
  /** The conversation continues after this message, or from its beginning if null. */
  readonly rewoundTo?: string | null;
}

export interface Driver {
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  /** A description in a few words, for a person who chooses a driver. */
  readonly title?: string;
  /** The best capabilities of the driver; a run has those of its own launch. */
  readonly capabilities: Capabilities;
  /** False: others start its agents elsewhere, and are responsible for the folder. */
  readonly startsAgents?: boolean;
  /** Rejects with `LAUNCH_FAILED` and the reason if the agent cannot be started. */
  start(launch: Launch): Promise<Run>;
  /**
   * Cancels a start that is no longer needed, for a driver whose agents may connect at any time.
   */
  giveUp?(launch: Launch): void;
}
