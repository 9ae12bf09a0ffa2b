import { isObject, type JsonObject, parseObject } from "@signalbox/protocol/wire";
import type { ElicitationResult } from "@signalbox/agent";
import type { HookEnd } from "./hook-end.ts";

/** What one hook said, read from its answer. */
export interface HookAnswer {
  /** The event must not take its course, and why. */
  readonly blocked?: string;
  /** Why in the hook's own words, where `blocked` also says who spoke. */
  readonly inItsWords?: string;
  readonly permission?: {
    readonly decision: "allow" | "deny" | "ask" | "defer";
    readonly reason?: string;
  };
  /** The answer of a `PermissionRequest` hook. */
  readonly decision?: JsonObject;
  readonly updatedInput?: JsonObject;
  readonly context?: string;
  /** What a command printed that is no JSON, where that is for the model. */
  readonly printed?: string;
  /** For the person. */
  readonly message?: string;
  /** In place of what the tool gave back. */
  readonly output?: { readonly value: unknown };
  /** The first prompt of the session, from a hook of its start. */
  readonly firstPrompt?: string;
  readonly title?: string;
  /** What hosts are to see in place of a text. */
  readonly shown?: string;
  /** A prompt that is blocked is not repeated to the person. */
  readonly hidesPrompt?: true;
  /** The answer to a server's question, and the event that it is for. */
  readonly elicited?: ElicitationResult & { readonly event: unknown };
  /** The whole turn ends, with this for the person. */
  readonly stop?: string;
}

/** What the end of a hook of the settings means. `failure`: it has not done its work, and why. */
type ReadEnd = HookAnswer & { readonly failure?: string };

/** A command's end: 2 blocks with what it printed to stderr, 0 speaks by stdout, the rest is its own trouble. */
export function readCommandEnd(event: string, command: string, ended: HookEnd): ReadEnd {
  if (ended.failure) return { failure: ended.stderr };
  if (ended.code === 2) {
    const said = ended.stderr || "No stderr output";
    return { blocked: `[${command}]: ${said}`, inItsWords: said.trim() };
  }
  if (ended.code !== 0) return { failure: ended.stderr || "No stderr output" };
  const said = ended.stdout.trim();
  if (said.startsWith("{")) return readText(said);
  return forModel.has(event) && said !== "" ? { printed: said } : {};
}

/** What commands print for these events is for the model. */
const forModel = new Set(["SessionStart", "UserPromptSubmit", "UserPromptExpansion"]);

/** What a hook said as JSON. What is no JSON after all says nothing. */
export function readText(said: string): ReadEnd {
  const value = parseObject(said);
  if (typeof value === "string") return {};
  const flaw = getFlaw(value);
  if (flaw === undefined) return readHookAnswer(value);
  return { failure: `Hook JSON output validation failed — ${flaw}` };
}

function getFlaw(answer: JsonObject): string | undefined {
  const { decision, continue: goesOn, hookSpecificOutput: special } = answer;
  if (decision !== undefined && decision !== "approve" && decision !== "block") {
    return 'decision: Invalid option: expected one of "approve"|"block"';
  }
  if (goesOn !== undefined && typeof goesOn !== "boolean") {
    return `continue: Invalid input: expected boolean, received ${typeof goesOn}`;
  }
  if (special === undefined) return undefined;
  if (!isObject(special)) return "hookSpecificOutput: Invalid input";
  const { permissionDecision: said } = special;
  const isKnown = said === undefined || decisions.some((one) => one === said);
  return isKnown ? undefined : "hookSpecificOutput.permissionDecision: Invalid option";
}

const decisions = ["allow", "deny", "ask", "defer"] as const;

export function readHookAnswer(answer: JsonObject): HookAnswer {
  const reason = getText(answer["reason"]);
  const special = isObject(answer["hookSpecificOutput"]) ? answer["hookSpecificOutput"] : {};
  const permission = getPermission(answer, special);
  const context = getText(special["additionalContext"]);
  const output = special["updatedToolOutput"] ?? special["updatedMCPToolOutput"];
  const message = getText(answer["systemMessage"]);
  const firstPrompt = getText(special["initialUserMessage"]);
  const title = getText(special["sessionTitle"]);
  const shown = getText(special["displayContent"]);
  const elicited = elicitedIn(special);
  return {
    ...(answer["decision"] === "block" && !permission
      ? { blocked: reason ?? "Blocked by hook" }
      : {}),
    ...(permission ? { permission } : {}),
    ...(isObject(special["decision"]) ? { decision: special["decision"] } : {}),
    ...(isObject(special["updatedInput"]) ? { updatedInput: special["updatedInput"] } : {}),
    ...(context === undefined ? {} : { context }),
    ...(output === undefined ? {} : { output: { value: output } }),
    ...(message === undefined ? {} : { message }),
    ...(firstPrompt === undefined ? {} : { firstPrompt }),
    ...(title === undefined ? {} : { title }),
    ...(shown === undefined ? {} : { shown }),
    ...(special["suppressOriginalPrompt"] === true ? { hidesPrompt: true } : {}),
    ...(elicited ? { elicited } : {}),
    ...(answer["continue"] === false ? { stop: getText(answer["stopReason"]) ?? "" } : {}),
  };
}

function elicitedIn({ hookEventName: event, ...said }: JsonObject): HookAnswer["elicited"] {
  const action = (["accept", "decline", "cancel"] as const).find((one) => one === said["action"]);
  if (action === undefined) return undefined;
  return { event, action, ...(isObject(said["content"]) ? { content: said["content"] } : {}) };
}

function getPermission(answer: JsonObject, special: JsonObject): HookAnswer["permission"] {
  const decision = decisions.find((one) => one === special["permissionDecision"]);
  if (decision !== undefined) {
    const reason = getText(special["permissionDecisionReason"]);
    return { decision, ...(reason === undefined ? {} : { reason }) };
  }
  // The older way to say it.
  if (answer["decision"] === "approve") return { decision: "allow" };
  return undefined;
}

function getText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
