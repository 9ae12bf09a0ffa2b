import type { Transport } from "@signalbox/protocol";
import type { HostAnswer } from "@signalbox/protocol/control";
import type { IsolationState } from "./isolation-state.ts";
import type { Launch } from "./launch.ts";
import type { RunEnd } from "./run-end.ts";

/** What a driver can do with its agent. The page shows what is true here, and nothing else. */
export interface Capabilities {
  /** Text arrives while it is being written. */
  readonly streaming: boolean;
  /** The agent asks before it acts, and waits for the answer. */
  readonly permissions: boolean;
  /** An earlier conversation can be taken up again. */
  readonly resume: boolean;
  /** …as a copy, leaving the original as it was. */
  readonly fork: boolean;
  /** Prompts may hold images; without it they are saved and named in the prompt. */
  readonly images: boolean;
  /** What subagents say is told apart from what the main agent says. */
  readonly subagents: boolean;
  /** Files can be put back to where they were at a message. */
  readonly rewind: boolean;
  /** A message sent while the agent works reaches it in that same turn. */
  readonly steering: boolean;
  /** Work in the background can be stopped, one piece at a time. */
  readonly stopTasks: boolean;
  /** The agent shows itself in a terminal, which people can watch and type into. */
  readonly terminal?: boolean;
}

/** Which program a run talks to. */
export interface AgentFacts {
  readonly path: string;
  readonly version: string;
  /** Tested: our tests run this very version. Untested: newer or in between. */
  readonly versionClass: "tested" | "untested" | "unsupported";
}

/** Something of the launch that this agent's version cannot take, and why. It was not sent. */
export interface UnsupportedOption {
  readonly option: string;
  readonly why: string;
}

/** One life of an agent. Above a driver there are only lines, an end with a reason, capabilities. */
export interface Run extends Transport<RunEnd> {
  readonly driver: string;
  readonly capabilities: Capabilities;
  readonly agent: AgentFacts;
  readonly unsupportedOptions: readonly UnsupportedOption[];
  /** Missing: the driver does not isolate, or did not start the agent. */
  readonly isolation?: IsolationState;
  /** The control requests that this agent answers; undefined: all, if only by refusing. */
  readonly answers?: ReadonlySet<string>;
  /** The folder the agent works in, as it really is (no links). */
  readonly folder: string;
  /** The agent's process, where it has one on this machine. */
  readonly pid?: number;
  /** The last of what the agent printed on its error stream. */
  readonly stderr: string;
  /** What the agent answered to an `initialize` before this run's host came: it is not asked again. */
  readonly initialized?: HostAnswer<"initialize">;
  /** It goes on where a host that is gone left it: it has begun long since. */
  readonly continues?: boolean;
  /** Requests of its own, as lines, that the agent made to the host before, and that nobody answered. */
  readonly waitsFor?: readonly string[];
  /** Another program is the agent's host, and we see what it sees: only what is for a person is answered here. */
  readonly hostedElsewhere?: boolean;
  /** Called with what a person should know that no line says. */
  onRemark?: ((text: string) => void) | undefined;
}

export interface Driver {
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  /** What it is, in a few words for a person who chooses one. */
  readonly title?: string;
  /** What it can do at its best; a run says what it can do as it was launched. */
  readonly capabilities: Capabilities;
  /** False: its agents are started elsewhere, by others, who answer for the folder. */
  readonly startsAgents?: boolean;
  /** Rejects with `LAUNCH_FAILED` and the reason when there is nothing to talk to. */
  start(launch: Launch): Promise<Run>;
  /** What was to be started is not wanted any more; for a driver whose agents may come at any time. */
  giveUp?(launch: Launch): void;
}
