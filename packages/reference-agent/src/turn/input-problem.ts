import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { findViolations, type SchemaViolation } from "../json/schema.ts";
import type { Tool } from "../tool.ts";

/** Checks an input. The inputs of MCP tools are not checked, because their server does that. */
const violationsFor = ({ origin, input: schema }: Tool, input: JsonObject): SchemaViolation[] =>
  origin ? [] : findViolations(schema, input);

/** Describes what is wrong with a model's input: a text for the model, and a list for the host. */
export function inputProblem(
  tool: Tool,
  input: JsonObject,
): { text: string; listed: string } | undefined {
  const found = violationsFor(tool, input);
  if (found.length === 0) return getFlaw(tool, input);
  const issues = found.map((one) => describeIssue(tool, one, input));
  return { text: problemText(tool, found, input), listed: JSON.stringify(issues, null, 2) };
}

function getFlaw(tool: Tool, input: JsonObject): { text: string; listed: string } | undefined {
  const flaw = tool.flaw?.(input);
  if (flaw === undefined) return undefined;
  const listed = JSON.stringify([{ code: "custom", ...flaw }], null, 2);
  return { text: listed, listed };
}

/** Describes what is wrong with an input from a host or a hook. Unknown fields are ignored. */
export function rewriteProblem(tool: Tool, input: JsonObject): string | undefined {
  const found = violationsFor(tool, input).filter(({ kind }) => kind !== "unexpected");
  return found.length === 0 ? undefined : problemText(tool, found, input);
}

function problemText({ name }: Tool, found: readonly SchemaViolation[], input: JsonObject): string {
  // Other kinds come last.
  const rank = ({ kind }: SchemaViolation) => ["missing", "unexpected"].indexOf(kind) >>> 0;
  const inOrder = found.toSorted((a, b) => rank(a) - rank(b));
  const lines = inOrder.map(({ kind, property, at, must, wanted }) => {
    if (kind === "missing") return `The required parameter \`${property}\` is missing`;
    if (kind === "unexpected") return `An unexpected parameter \`${property}\` was provided`;
    const parameter = `The parameter \`${getPath(at).join(".")}\``;
    if (wanted === undefined) return `${parameter} ${must}`;
    return `${parameter} type is expected as \`${wanted === "integer" ? "int" : wanted}\` but provided as \`${kindAt(input, at)}\``;
  });
  const issues = found.length === 1 ? "issue" : "issues";
  return `${name} failed due to the following ${issues}:\n${lines.join("\n")}`;
}

/** Converts an issue to zod's format, which hosts know. */
function describeIssue(
  { input: schema }: Tool,
  { kind, property, at, must, wanted }: SchemaViolation,
  input: JsonObject,
): object {
  const path = getPath(at);
  if (kind === "unexpected") {
    const message = `Unrecognized key: "${property}"`;
    return { code: "unrecognized_keys", keys: [property], path, message };
  }
  if (wanted !== undefined) return mistyped(wanted, path, kindAt(input, at));
  if (kind !== "missing") return { code: "custom", path, message: must };
  const properties = (schema["properties"] ?? {}) as Record<string, { type?: unknown }>;
  const expected = path.length === 0 ? properties[property ?? ""]?.type : undefined;
  return mistyped(expected, [...path, property], "undefined");
}

function mistyped(wanted: unknown, path: readonly unknown[], received: string): object {
  const expected = wanted === "integer" ? "int" : wanted;
  const message = `Invalid input: expected ${String(expected)}, received ${received}`;
  const format = wanted === "integer" && received === "number" ? { format: "safeint" } : {};
  return { expected, ...format, code: "invalid_type", path, message };
}

const getPath = (at: string): string[] => at.split("/").filter((part) => part !== "");

function kindAt(input: JsonObject, at: string): string {
  let value: unknown = input;
  for (const part of getPath(at)) {
    value = isObject(value) || Array.isArray(value) ? value[part as never] : undefined;
  }
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
