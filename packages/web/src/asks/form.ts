import { strings } from "../strings/strings.ts";

/** A field of an MCP elicitation. Without a schema there is a single field for JSON. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly type: "text" | "number" | "boolean" | "json";
  readonly options?: readonly string[];
  readonly required: boolean;
  /** The remaining rules of the schema, such as its format, limits and default. */
  readonly rules?: string;
}

type Schema = { properties?: unknown; required?: unknown };

type Input = Readonly<Record<string, unknown>>;

function getSchema(input: Input): Schema {
  return input["requestedSchema"] ?? input["requested_schema"] ?? {};
}

/** Whether the schema names its fields. */
export function hasNamedFields(input: Input): boolean {
  const { properties } = getSchema(input);
  return typeof properties === "object" && properties !== null;
}

export function listFormFields(input: Input): readonly FormField[] {
  if (!hasNamedFields(input)) return [jsonField];
  const { properties, ...schema } = getSchema(input);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties as Record<string, Record<string, unknown>>).map(
    ([name, it]) => ({
      name,
      title: typeof it["title"] === "string" ? it["title"] : name,
      ...(typeof it["description"] === "string" && { description: it["description"] }),
      ...getFieldType(it),
      ...describeRules(it),
      required: required.includes(name),
    }),
  );
}

function describeRules(it: Record<string, unknown>): Pick<FormField, "rules"> {
  const { title: _, description: __, type: ___, enum: ____, ...rest } = it;
  const rules = Object.entries(rest).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return rules.length > 0 ? { rules: rules.join(", ") } : {};
}

const jsonField: FormField = {
  name: "",
  title: strings.asks.jsonAnswer,
  type: "json",
  required: true,
};

function getFieldType(it: Record<string, unknown>): Pick<FormField, "type" | "options"> {
  if (Array.isArray(it["enum"])) return { type: "text", options: it["enum"].map(String) };
  switch (it["type"]) {
    case "boolean":
      return { type: "boolean", options: ["true", "false"] };
    case "number":
    case "integer":
      return { type: "number" };
    case "string":
      return { type: "text" };
    default:
      return { type: "json" };
  }
}

/** The completed form. Undefined if a required value is missing or a value is invalid. */
export function buildContent(
  fields: readonly FormField[],
  values: Readonly<Record<string, string>>,
): Record<string, unknown> | undefined {
  const content: Record<string, unknown> = {};
  for (const field of fields) {
    const text = values[field.name]?.trim() ?? "";
    if (text === "" && !field.required) continue;
    const value = text === "" ? undefined : parseValue(field, text);
    if (value === undefined) return undefined;
    if (field.name !== "") content[field.name] = value;
    else if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    else return value as Record<string, unknown>;
  }
  return content;
}

function parseValue({ type }: FormField, text: string): unknown {
  switch (type) {
    case "text":
      return text;
    case "boolean":
      return text === "true";
    case "number":
      return Number.isFinite(Number(text)) ? Number(text) : undefined;
    case "json":
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return undefined;
      }
    default:
      return type satisfies never;
  }
}
