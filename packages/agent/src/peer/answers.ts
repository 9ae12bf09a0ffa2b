import { type Check, isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { PermissionAnswer } from "../agent.ts";

/** A check by hand, in the shape of a schema: the few that there are must not cost a library's start. */
function check<T>(misfit: (value: unknown) => string | undefined): Check<T> {
  return {
    safeParse(value) {
      const message = misfit(value);
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

export const hookAnswer = check<JsonObject>((value) =>
  isObject(value) ? undefined : "The answer is no object",
);

export const mcpAnswer = check<{ mcp_response: unknown }>((value) =>
  isObject(value) && "mcp_response" in value ? undefined : "The answer has no mcp_response",
);
