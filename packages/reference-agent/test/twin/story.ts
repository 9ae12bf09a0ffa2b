import type {
  CanUseTool,
  Options,
  SDKMessage,
  SDKUserMessage,
} from "@anthropic-ai/claude-agent-sdk";

/** What the official SDK is told to do, once with each program. */
export interface Story {
  readonly name: string;
  /** Files in the folder before it begins, by relative path. `home/…`: below the home. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the model says to prompts that carry no script of their own. */
  readonly script?: string;
  play(stage: Stage): Promise<void>;
}

/** Where a story is played: one home, one folder, one model. */
export interface Stage {
  readonly folder: string;
  /** Starts a conversation; a second one in the same story comes after the first has ended. */
  open(options?: Partial<Options>): Conversation;
  write(name: string, text: string): void;
  read(name: string): string;
  /** Waits until a file is there. */
  exists(name: string): Promise<void>;
  /** What the model was asked so far. */
  readonly requests: readonly unknown[];
  /** Notes something that must be the same in both plays. */
  note(what: string, value: unknown): void;
}

export interface Conversation {
  readonly query: import("@anthropic-ai/claude-agent-sdk").Query;
  /** What was yielded so far. */
  readonly messages: readonly SDKMessage[];
  /** Sends a prompt; the uuid it had. */
  say(prompt: string | Partial<SDKUserMessage>): string;
  /** Reads on until a message fits. */
  until(fits: (message: SDKMessage) => boolean): Promise<SDKMessage>;
  result(): Promise<SDKMessage>;
  /** Waits until the agent has said so often on the wire that a prompt is in this state. */
  lifecycle(state: string, times: number): Promise<void>;
  /** Waits until the agent has said so often on the wire that it is idle: the last line of a turn. What
   * the host requests after a turn's result alone may be answered before that line or after it. */
  idle(times: number): Promise<void>;
  /** Waits until the answer of the model has ended. What it cost is counted only then. The conversation
   * must be opened with `includePartialMessages`. */
  answered(): Promise<void>;
  /** Waits until the agent has said so many messages of this type on the wire. */
  said(type: string, times: number): Promise<void>;
  /** Waits until the agent has asked its host this so often. */
  asked(subtype: string, times: number): Promise<void>;
  /** Sends a prompt and reads to the turn's end. */
  turn(prompt: string): Promise<SDKMessage>;
  /** Closes the input and reads what is still said. */
  end(): Promise<void>;
}

export const allow: CanUseTool = (_tool, input) =>
  Promise.resolve({ behavior: "allow", updatedInput: input });

/** A story of one prompt: its words, then what the model does. */
export function inOneTurn(
  name: string,
  options: Partial<Options>,
  lines: (stage: Stage) => readonly string[],
): Story {
  return {
    name,
    async play(stage) {
      await stage.open(options).turn(lines(stage).join("\n"));
    },
  };
}
