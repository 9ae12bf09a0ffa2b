import { type JsonObject, parseObject } from "@signalbox/protocol/wire";
import { isRecord } from "../tools/schema.ts";

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
  /** The whole turn ends, with this for the person. */
  readonly stop?: string;
}

/** A command's end: 2 blocks with what it printed to stderr, 0 speaks by stdout, the rest is its own trouble. */
export function readCommandAnswer(
  event: string,
  command: string,
  ended: { code: number; stdout: string; stderr: string },
): HookAnswer {
  if (ended.code === 2) {
    const said = ended.stderr || "No stderr output";
    return { blocked: `[${command}]: ${said}`, inItsWords: said.trim() };
  }
  if (ended.code !== 0) return {};
  const said = ended.stdout.trim();
  if (said.startsWith("{")) {
    const value = parseObject(said);
    if (typeof value !== "string") return readHookAnswer(value);
  }
  const isContext = event === "SessionStart" || event === "UserPromptSubmit";
  return isContext && said !== "" ? { context: said } : {};
}

export function readHookAnswer(answer: JsonObject): HookAnswer {
  const reason = textOf(answer["reason"]);
  const special = isRecord(answer["hookSpecificOutput"]) ? answer["hookSpecificOutput"] : {};
  const permission = permissionOf(answer, special);
  const context = textOf(special["additionalContext"]);
  return {
    ...(answer["decision"] === "block" && !permission
      ? { blocked: reason ?? "The hook blocked this." }
      : {}),
    ...(permission ? { permission } : {}),
    ...(isRecord(special["decision"]) ? { decision: special["decision"] } : {}),
    ...(isRecord(special["updatedInput"]) ? { updatedInput: special["updatedInput"] } : {}),
    ...(context === undefined ? {} : { context }),
    ...(answer["continue"] === false ? { stop: textOf(answer["stopReason"]) ?? "" } : {}),
  };
}

function permissionOf(answer: JsonObject, special: JsonObject): HookAnswer["permission"] {
  const decision = special["permissionDecision"];
  if (decision === "allow" || decision === "deny" || decision === "ask" || decision === "defer") {
    const reason = textOf(special["permissionDecisionReason"]);
    return { decision, ...(reason === undefined ? {} : { reason }) };
  }
  // The older way to say it.
  if (answer["decision"] === "approve") return { decision: "allow" };
  return undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
