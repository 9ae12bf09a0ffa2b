/** The token counts a message reports, in the wire's four kinds. */
export type ScriptedUsage = {
  input: number;
  output: number;
  cacheRead: number;
  cacheCreation: number;
};

/** An error in the API's words. */
export type ApiError = {
  status: number;
  type: string;
  message: string;
  /** Set by `rate-limit`: how long the client is asked to stay away. */
  retryAfterSeconds?: number;
};

/** What may happen to a message before it is whole. */
export type ScriptedFailure = { kind: "error"; error: ApiError } | { kind: "cut" };

/** One thing the model does inside a message. */
export type ScriptStep =
  | { do: "say"; text: string }
  | { do: "think"; text: string }
  | { do: "tool"; name: string; input: unknown }
  | { do: "flood"; words: number; perSecond?: number }
  | { do: "long"; bytes: number }
  | { do: "wait"; ms: number }
  | { do: "stall" }
  /** The message breaks off here the first `times` times it is asked for. */
  | { do: "fail"; times: number; failure: ScriptedFailure };

/** What is streamed in answer to one request. */
export type ScriptedMessage = {
  steps: ScriptStep[];
  usage: Partial<ScriptedUsage>;
  stopReason?: string;
};

/** The messages for the prompts that contain `match`; "*" stands for every prompt. */
export type Scene = { match: string; messages: ScriptedMessage[] };

export type Script = { scenes: Scene[] };

/** What one line of a script asks for, before lines are gathered into messages. */
export type Directive =
  | { kind: "step"; step: ScriptStep }
  | { kind: "usage"; usage: Partial<ScriptedUsage> }
  | { kind: "stop"; reason: string }
  | { kind: "next" };
