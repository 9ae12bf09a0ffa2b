import { escapeInJson } from "@signalbox/protocol/text";
import type * as z from "zod";

type Issue = z.core.$ZodIssue;

const types: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const formats: Record<string, string> = {
  uuid: "a UUID",
  url: "a URL",
  base64: "Base64",
};
/**
 * The unit of a size limit, by the kind of value. A number's limit is about its own value and has no unit.
 */
const units: Record<string, string> = { string: "characters", array: "entries", number: "" };
/** How long a value may be to be quoted in an error. */
const MAX_QUOTED_VALUE = 60;

/** What is allowed in place of a value, as the end of a sentence that begins with the field's name. */
export function describeIssue(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type": {
      const expected = types[issue.expected] ?? issue.expected;
      return `must be ${expected}; ${value === undefined ? "it is missing" : `got ${nameType(value)}`}`;
    }
    case "too_small": {
      const { origin, minimum, inclusive } = issue;
      if (origin === "string" && minimum === 1) return "must not be empty";
      return limit(origin, `${inclusive ? "at least" : "more than"} ${minimum}`, value);
    }
    case "too_big": {
      const { origin, maximum, inclusive } = issue;
      return limit(origin, `${inclusive ? "at most" : "less than"} ${maximum}`, value);
    }
    case "invalid_value": {
      const [only, ...others] = issue.values.map(String);
      const allowed = others.length === 0 ? only : `one of ${[only, ...others].join(", ")}`;
      return `must be ${allowed}; ${value === undefined ? "it is missing" : `got ${quote(value)}`}`;
    }
    case "invalid_format":
      if (issue.format === "regex") return issue.message; // each pattern has a sentence of its own
      return `must be ${formats[issue.format] ?? `text in the format ${issue.format}`}`;
    case "invalid_key": {
      const [inner] = issue.issues;
      return inner
        ? `has a name that ${describeIssue(inner, "")}`
        : "has a name that is not allowed";
    }
    default:
      return issue.message;
  }
}

function limit(origin: string, range: string, value: unknown): string {
  const unit = units[origin] ?? "";
  if (unit !== "") return `must have ${range} ${unit}; got ${(value as { length: number }).length}`;
  return typeof value === "number" ? `must be ${range}; got ${value}` : `must be ${range}`;
}

/** A short value as it was sent; of a longer one, its kind. */
function quote(value: unknown): string {
  if (typeof value === "object") return nameType(value);
  const text = JSON.stringify(value);
  return text.length > MAX_QUOTED_VALUE ? nameType(value) : escapeInJson(text, "decision");
}

function nameType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "boolean") return value ? "true" : "false";
  return { string: "text", number: "a number" }[typeof value as string] ?? "an object";
}
