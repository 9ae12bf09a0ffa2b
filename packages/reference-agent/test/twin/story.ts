import type {
  CanUseTool,
  Options,
  SDKMessage,
  SDKUserMessage,
} from "@anthropic-ai/claude-agent-sdk";

/** What the official SDK does, once with each program. */
export interface Story {
  readonly name: string;
  /** Files in the folder before the story begins, by relative path. `home/…` is below the home. */
  readonly files?: Readonly<Record<string, string>>;
  /** The model's answer to prompts that contain no script. */
  readonly script?: string;
  play(stage: Stage): Promise<void>;
}

/** Where a story is played: one home, one folder, one model. */
export interface Stage {
  readonly folder: string;
  /** Starts a conversation. A second one in the same story begins after the first has ended. */
  open(options?: Partial<Options>): Conversation;
  write(name: string, text: string): void;
  read(name: string): string;
  /** Waits until a file exists. */
  exists(name: string): Promise<void>;
  /** The requests to the model so far. */
  readonly requests: readonly unknown[];
  /** Notes something that must be the same with both programs. */
  note(what: string, value: unknown): void;
}

export interface Conversation {
  readonly query: import("@anthropic-ai/claude-agent-sdk").Query;
  /** The messages so far. */
  readonly messages: readonly SDKMessage[];
  /** Sends a prompt and returns its uuid. */
  say(prompt: string | Partial<SDKUserMessage>): string;
  /** Reads until a message matches. */
  until(fits: (message: SDKMessage) => boolean): Promise<SDKMessage>;
  result(): Promise<SDKMessage>;
  /** Waits until the agent has reported this state of a prompt so many times. */
  lifecycle(state: string, times: number): Promise<void>;
  /**
   * Waits until the agent has reported so many times that it is idle, which is the last line of a
   * turn. Requests that the host sends after only a turn's result may be answered before or after
   * that line.
   */
  idle(times: number): Promise<void>;
  /**
   * Waits until the model's answer has ended, because its cost is only counted then. The
   * conversation must be opened with `includePartialMessages`.
   */
  answered(): Promise<void>;
  /** Waits until the agent has sent so many messages of this type. */
  said(type: string, times: number): Promise<void>;
  /** Waits until the agent has sent its host so many requests of this kind. */
  asked(subtype: string, times: number): Promise<void>;
  /** Sends a prompt and reads to the turn's end. */
  turn(prompt: string): Promise<SDKMessage>;
  /** Closes the input and reads the remaining messages. */
  end(): Promise<void>;
}

export const allow: CanUseTool = (_tool, input) =>
  Promise.resolve({ behavior: "allow", updatedInput: input });

/** Creates a story of one prompt: its text, then what the model does. */
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
