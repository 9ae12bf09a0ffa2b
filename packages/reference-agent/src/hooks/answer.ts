import { isObject, type JsonObject, parseObject } from "@signalbox/protocol/wire";
import type { ElicitationResult } from "@signalbox/agent";
import type { HookEnd } from "./hook-end.ts";

/** The parsed answer of one hook. */
export interface HookAnswer {
  /** The reason why the event must not continue. */
  readonly blocked?: string;
  /** The reason in the hook's own words, if `blocked` also names the hook. */
  readonly inItsWords?: string;
  readonly permission?: {
    readonly decision: "allow" | "deny" | "ask" | "defer";
    readonly reason?: string;
  };
  /** The answer of a `PermissionRequest` hook. */
  readonly decision?: JsonObject;
  readonly updatedInput?: JsonObject;
  readonly context?: string;
  /** The output of a command that is not JSON, for events whose output goes to the model. */
  readonly printed?: string;
  /** A message for the person. */
  readonly message?: string;
  /** The replacement for the tool's output. */
  readonly output?: { readonly value: unknown };
  /** The first prompt of the session, from a hook of its start. */
  readonly firstPrompt?: string;
  readonly title?: string;
  /** The text that hosts see instead of the original. */
  readonly shown?: string;
  /** Whether a blocked prompt is hidden from the person. */
  readonly hidesPrompt?: true;
  /** The answer to a server's question, and its event. */
  readonly elicited?: ElicitationResult & { readonly event: unknown };
  /** The whole turn ends, with this message for the person. */
  readonly stop?: string;
}

/** How a hook of the settings ended. `failure` is the reason why it did not do its work. */
type ReadEnd = HookAnswer & { readonly failure?: string };

/**
 * Interprets a command's exit: 2 blocks with stderr as the reason, 0 answers with stdout, and any
 * other code is a failure of the hook.
 */
export function readCommandEnd(event: string, command: string, ended: HookEnd): ReadEnd {
  if (ended.failure) return { failure: ended.stderr };
  if (ended.code === 2) {
    const errorText = ended.stderr || "No stderr output";
    return { blocked: `[${command}]: ${errorText}`, inItsWords: errorText.trim() };
  }
  if (ended.code !== 0) return { failure: ended.stderr || "No stderr output" };
  const printedText = ended.stdout.trim();
  if (printedText.startsWith("{")) return readText(printedText);
  return forModel.has(event) && printedText !== "" ? { printed: printedText } : {};
}

/** Events whose command output goes to the model. */
const forModel = new Set(["SessionStart", "UserPromptSubmit", "UserPromptExpansion"]);

/** Parses a hook's JSON answer. Text that is not valid JSON gives an empty answer. */
export function readText(printedText: string): ReadEnd {
  const value = parseObject(printedText);
  if (typeof value === "string") return {};
  const flaw = getFlaw(value);
  if (flaw === undefined) return readHookAnswer(value);
  return { failure: `Hook JSON output validation failed — ${flaw}` };
}

function getFlaw(answer: JsonObject): string | undefined {
  const { decision, continue: shouldContinue, hookSpecificOutput: special } = answer;
  if (decision !== undefined && decision !== "approve" && decision !== "block") {
    return 'decision: Invalid option: expected one of "approve"|"block"';
  }
  if (shouldContinue !== undefined && typeof shouldContinue !== "boolean") {
    return `continue: Invalid input: expected boolean, received ${typeof shouldContinue}`;
  }
  if (special === undefined) return undefined;
  if (!isObject(special)) return "hookSpecificOutput: Invalid input";
  const { permissionDecision: hookDecision } = special;
  const isKnown = hookDecision === undefined || decisions.some((one) => one === hookDecision);
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
  const elicited = readElicitation(special);
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

function readElicitation({
  hookEventName: event,
  ...answerFields
}: JsonObject): HookAnswer["elicited"] {
  const action = (["accept", "decline", "cancel"] as const).find(
    (one) => one === answerFields["action"],
  );
  if (action === undefined) return undefined;
  return {
    event,
    action,
    ...(isObject(answerFields["content"]) ? { content: answerFields["content"] } : {}),
  };
}

function getPermission(answer: JsonObject, special: JsonObject): HookAnswer["permission"] {
  const decision = decisions.find((one) => one === special["permissionDecision"]);
  if (decision !== undefined) {
    const reason = getText(special["permissionDecisionReason"]);
    return { decision, ...(reason === undefined ? {} : { reason }) };
  }
  // This is the older format.
  if (answer["decision"] === "approve") return { decision: "allow" };
  return undefined;
}

function getText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
