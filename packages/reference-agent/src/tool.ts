import type { JsonObject } from "@signalbox/protocol/wire";
import type { ContentBlock, OutgoingMessage, PermissionMode } from "@signalbox/agent";
import type { Forbidden } from "./permission/files.ts";
import type { Verdict } from "./permission/verdict.ts";
import type { Session } from "./session.ts";
import type { Schema } from "./json/schema.ts";

/** One call, with everything that it may use. */
export interface Call {
  readonly session: Session;
  readonly toolUseId: string;
  /** Aborts when the turn should end. */
  readonly signal: AbortSignal;
  /**
   * Aborts when a person ended the turn, for work that should not be stopped halfway without need.
   */
  readonly interruption: AbortSignal;
  /** The id of the model's message that contains the call. */
  readonly messageId?: string | undefined;
  /** The tools that the conversation named before the message. */
  toolsNamed?(): ReadonlySet<string>;
  /** The subagent that makes the call; undefined for the main agent. */
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
  /** Called when the host was asked whether the call may run. */
  onAsked?(): void;
}

/**
 * Runs a call that no model requested but a person's text requires. Only its result is reported.
 */
export function callAside(session: Session, signal: AbortSignal): Call {
  const toolUseId = crypto.randomUUID();
  return { session, toolUseId, signal, interruption: signal, say: () => {} };
}

/**
 * The result of a call. `content` is for the model, `structured` for the host (`tool_use_result`).
 */
export interface Output {
  readonly content: string | readonly ContentBlock[];
  readonly structured?: unknown;
  /** Whether the result contains `is_error: false`, which only Bash does. */
  readonly saysOk?: boolean;
  /** Texts in the user's name after the result, such as a skill's. */
  readonly followUps?: readonly string[];
  /** The turn ends with this output. */
  readonly endsTurn?: { readonly structuredOutput: unknown };
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  /** The name in `can_use_tool`. */
  readonly displayName?: string;
  /** The definition of a tool that the API itself runs, instead of a schema. */
  readonly serverSide?: JsonObject;
  /** The server and the tool under the names that the server uses. */
  readonly origin?: { readonly server: string; readonly tool: string };
  /** The longest result that goes to the model as a whole. A longer one is stored in a file. */
  readonly maxChars?: number;
  /**
   * Whether nothing has to be looked up before the call is asked about or begins. `asks`: it is
   * certainly asked about.
   */
  beginsAtOnce?(input: JsonObject, session: Session): boolean | "asks";
  /** Returns what is wrong with an input that fits the schema, and in which field. */
  flaw?(
    input: JsonObject,
  ): { readonly path: readonly string[]; readonly message: string } | undefined;
  /** Whether the call may run in parallel with others of its kind. */
  sideBySide?(input: JsonObject): boolean;
  /** Completes or corrects the model's input before anybody sees it. */
  complete?(input: JsonObject, session: Session): JsonObject | Promise<JsonObject>;
  /** Returns the input for hosts beside the answer, if they see more than the model wrote. */
  describeForHost?(input: JsonObject): JsonObject;
  /** Returns the input for hooks and hosts, with absolute paths. */
  shown?(input: JsonObject, session: Session): JsonObject;
  /** Returns a line for the person who is asked. */
  describe?(input: JsonObject, session: Session): string | undefined;
  /** Describes the activity, for the progress of a subagent. */
  doing?(input: JsonObject, session: Session): string;
  /** Returns the rule that denies the call in any case. */
  forbid?(input: JsonObject, session: Session): Forbidden | undefined;
  /** Returns why it is pointless to ask or to run. */
  refuse?(input: JsonObject, session: Session): Promise<string | undefined>;
  /** Returns the tool's judgement of the permission; undefined if no question is necessary. */
  judge?(input: JsonObject, call: Pick<Call, "session" | "agent">): Verdict;
  /**
   * Renders a structured output from a hook for the model; undefined if it is not an output of the
   * tool.
   */
  render?(structured: JsonObject): Output["content"] | undefined;
  /** A person has to answer, whatever the rules say. */
  readonly needsPerson?: boolean;
  run(input: JsonObject, call: Call): Promise<Output>;
}

/** A failure with a message for the model. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  /** Called after the model was told. */
  readonly afterwards: (() => void) | undefined;
  /** The call was stopped halfway although nobody ended the turn. */
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

/** Creates an object schema in which every property is required unless it is optional. */
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
