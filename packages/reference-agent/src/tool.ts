import type { JsonObject } from "@signalbox/protocol/wire";
import type { ContentBlock, OutgoingMessage, PermissionMode } from "@signalbox/agent";
import type { Forbidden } from "./permission/files.ts";
import type { Verdict } from "./permission/verdict.ts";
import type { Session } from "./session.ts";
import type { Schema } from "./json/schema.ts";

/** One call, and everything it may use. */
export interface Call {
  readonly session: Session;
  readonly toolUseId: string;
  /** Aborted when the turn is to end. */
  readonly signal: AbortSignal;
  /** Aborted when a person ended it: for what is not stopped half-way without need. */
  readonly interruption: AbortSignal;
  /** The model's message that the call stands in. */
  readonly messageId?: string | undefined;
  /** Tools that the conversation names before the message. */
  toolsNamed?(): ReadonlySet<string>;
  /** The subagent that calls; absent: the main agent. */
  readonly agent?: {
    readonly id: string;
    readonly type: string;
    readonly depth: number;
    readonly inBackground: boolean;
    readonly permissionMode?: PermissionMode | undefined;
    readonly judges?: boolean;
    readonly toolsUsed: Set<string>;
  };
  say(message: OutgoingMessage): void;
  /** The host was asked whether it may run. */
  onAsked?(): void;
}

/** A call that nobody asked the model for: a person's words needed it, and its end is all that is told. */
export function callAside(session: Session, signal: AbortSignal): Call {
  const toolUseId = crypto.randomUUID();
  return { session, toolUseId, signal, interruption: signal, say: () => {} };
}

/** What a call came to. `content` is for the model, `structured` for the host (`tool_use_result`). */
export interface Output {
  readonly content: string | readonly ContentBlock[];
  readonly structured?: unknown;
  /** Said as `is_error: false`; Bash alone says it. */
  readonly saysOk?: boolean;
  /** Texts in the user's name that follow the result: a skill's. */
  readonly followUps?: readonly string[];
  /** The turn ends with this. */
  readonly endsTurn?: { readonly structuredOutput: unknown };
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  /** As `can_use_tool` shows it. */
  readonly displayName?: string;
  /** In place of a schema of ours: a tool that the API itself runs. */
  readonly serverSide?: JsonObject;
  /** Of an MCP server's: both names as the server knows them. */
  readonly origin?: { readonly server: string; readonly tool: string };
  /** How long a result may be that goes to the model whole; a longer one is kept in a file. */
  readonly maxChars?: number;
  /** Nothing has to be looked up before it is asked about or begins; `asks`: it is asked about for certain. */
  beginsAtOnce?(input: JsonObject, session: Session): boolean | "asks";
  /** What is wrong with an input that fits the schema, and in which field. */
  flaw?(
    input: JsonObject,
  ): { readonly path: readonly string[]; readonly message: string } | undefined;
  /** May run beside others of its kind. */
  sideBySide?(input: JsonObject): boolean;
  /** Completes or corrects what the model wrote, before anybody sees it. */
  complete?(input: JsonObject, session: Session): JsonObject | Promise<JsonObject>;
  /** The input as hosts see it beside the answer, where they see more than the model wrote. */
  told?(input: JsonObject): JsonObject;
  /** The input as hooks and hosts see it: paths whole. */
  shown?(input: JsonObject, session: Session): JsonObject;
  /** A line for the person who is asked. */
  describe?(input: JsonObject, session: Session): string | undefined;
  /** What it is doing, for the progress of a subagent. */
  doing?(input: JsonObject, session: Session): string;
  /** Why a rule denies it whatever else is the case. */
  forbid?(input: JsonObject, session: Session): Forbidden | undefined;
  /** Why it makes no sense to ask or to run at all. */
  refuse?(input: JsonObject, session: Session): Promise<string | undefined>;
  /** What it says about permission; absent: nothing needs to be asked. */
  judge?(input: JsonObject, call: Pick<Call, "session" | "agent">): Verdict;
  /** What the model is told of a structured output that a hook put in the place of the tool's;
   * nothing if it is none. */
  render?(structured: JsonObject): Output["content"] | undefined;
  /** A person has to answer, whatever the rules say. */
  readonly needsPerson?: boolean;
  run(input: JsonObject, call: Call): Promise<Output>;
}

/** A failure that the model is told about in these words. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  /** What is said when the model has been told. */
  readonly afterwards: (() => void) | undefined;
  /** It was ended half-way, and nobody ended the turn. */
  readonly isCutOff: boolean;

  constructor(message: string, afterwards?: () => void, isCutOff = false) {
    super(message);
    this.afterwards = afterwards;
    this.isCutOff = isCutOff;
  }
}

export function text(input: JsonObject, key: string): string {
  const value = input[key];
  return typeof value === "string" ? value : "";
}
export function count(input: JsonObject, key: string): number | undefined {
  const value = input[key];
  return typeof value === "number" ? value : undefined;
}

/** An object schema in few words: every property that is not optional is required. */
export function shape(
  properties: Record<string, Schema>,
  optional: Record<string, Schema> = {},
): Schema {
  return {
    type: "object",
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
export const string = (description: string): Schema => ({ type: "string", description });
export const number = (description: string): Schema => ({ type: "number", description });
export const whole = (description: string): Schema => ({ type: "integer", description });
export const flag = (description: string): Schema => ({ type: "boolean", description });
export const getOne = (values: readonly string[], description: string): Schema => ({
  type: "string",
  enum: values,
  description,
});
