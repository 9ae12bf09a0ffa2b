import type * as z from "zod";

type Issue = z.core.$ZodIssue;

const kinds: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const forms: Record<string, string> = {
  uuid: "an id (a UUID)",
  url: "a URL",
  base64: "Base64",
};
/** What is counted of each kind; of a number, its own size. */
const units: Record<string, string> = { string: "characters", array: "entries", number: "" };

/** What is wrong with a value, as the end of a sentence that begins with its name. */
export function plainIssue(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type": {
      const wanted = kinds[issue.expected] ?? issue.expected;
      return `has to be ${wanted}${value === undefined ? ", and is missing" : ""}`;
    }
    case "too_small": {
      const { origin, minimum, inclusive } = issue;
      if (origin === "string" && minimum === 1) return "must not be empty";
      return sized(origin, `${inclusive ? "at least" : "more than"} ${minimum}`);
    }
    case "too_big": {
      const { origin, maximum, inclusive } = issue;
      return sized(origin, `${inclusive ? "at most" : "less than"} ${maximum}`);
    }
    case "invalid_value": {
      const values = issue.values.map((each) => JSON.stringify(each) ?? String(each));
      return values.length === 1 ? `has to be ${values[0]}` : `is one of ${values.join(", ")}`;
    }
    case "invalid_format":
      if (issue.format === "regex") return issue.message; // each pattern has its own sentence
      return `has to be ${forms[issue.format] ?? `of another form (${issue.format})`}`;
    case "invalid_key": {
      const [inner] = issue.issues;
      return inner ? `this name ${plainIssue(inner, "")}` : "has a name that cannot be";
    }
    default:
      return issue.message;
  }
}

function sized(origin: string, limit: string): string {
  const unit = units[origin] ?? "";
  return unit === "" ? `has to be ${limit}` : `has to have ${limit} ${unit}`;
}
