import { type AnswerSchema, isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { ElicitationResult, PermissionAnswer } from "../agent.ts";

/**
 * Creates a handwritten check with the interface of a schema. Loading a library for these few
 * checks would slow down the start.
 */
function check<T>(findProblem: (value: unknown) => string | undefined): AnswerSchema<T> {
  return {
    safeParse(value) {
      const message = findProblem(value);
      if (message === undefined) return { data: value as T };
      return { error: { issues: [{ message, path: [] }] } };
    },
  };
}

const isListOfObjects = (value: unknown) => Array.isArray(value) && value.every(isObject);
const isNone = (value: unknown) => value === undefined || value === null;

export const permissionAnswer = check<PermissionAnswer>((value) => {
  if (!isObject(value)) return "The answer is no object";
  if (value["behavior"] === "deny") {
    return typeof value["message"] === "string" ? undefined : "A denial has no message";
  }
  if (value["behavior"] !== "allow") return `The behavior is ${JSON.stringify(value["behavior"])}`;
  const { updatedInput, updatedPermissions } = value;
  if (!isNone(updatedInput) && !isObject(updatedInput)) return "updatedInput is no object";
  const areFine = isNone(updatedPermissions) || isListOfObjects(updatedPermissions);
  return areFine ? undefined : "updatedPermissions is no list of objects";
});

const oneOfValues =
  (...words: string[]) =>
  (value: unknown) =>
    typeof value === "string" && words.includes(value);
const isText = (value: unknown) => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";
const hookFields = {
  continue: isFlag,
  suppressOutput: isFlag,
  stopReason: isText,
  reason: isText,
  systemMessage: isText,
  decision: oneOfValues("approve", "block"),
  hookSpecificOutput: isObject,
};
const specialFields = {
  permissionDecision: oneOfValues("allow", "deny", "ask", "defer"),
  permissionDecisionReason: isText,
  additionalContext: isText,
  updatedInput: isObject,
};

/** A hook whose answer is not understood must not count as approval. */
export const hookAnswer = check<JsonObject>((value) => {
  if (!isObject(value)) return "The answer is no object";
  if (value["async"] === true) return undefined;
  const special = value["hookSpecificOutput"];
  const wrong = findWrongField(value, hookFields) ?? findWrongField(special, specialFields);
  if (wrong !== undefined) return `${wrong} is not what it should be`;
  if (!isObject(special) || isText(special["hookEventName"])) return undefined;
  return "hookSpecificOutput does not say for which event it is";
});

function findWrongField(
  value: unknown,
  fields: Readonly<Record<string, (field: unknown) => boolean>>,
): string | undefined {
  if (!isObject(value)) return undefined;
  return Object.keys(fields).find(
    (name) => value[name] !== undefined && !fields[name]?.(value[name]),
  );
}

export const elicitationAnswer = check<ElicitationResult>((value) => {
  if (!isObject(value)) return "The answer is no object";
  const { action, content } = value;
  if (!oneOfValues("accept", "decline", "cancel")(action)) return "The answer has no action";
  return isNone(content) || isObject(content) ? undefined : "content is no object";
});

/**
 * An answer without a message does not settle the request, which keeps waiting, as in Claude Code.
 */
export const mcpAnswer = check<JsonObject>((value) =>
  isObject(value) ? undefined : "The answer has no mcp_response",
);
