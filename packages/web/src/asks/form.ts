/** A field that a server asks for (MCP's elicitation) or, where nothing is said, one for JSON. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly type: "text" | "number" | "boolean" | "json";
  readonly options?: readonly string[];
  readonly required: boolean;
}

type Schema = { properties?: unknown; required?: unknown };

export function formFields(input: Readonly<Record<string, unknown>>): readonly FormField[] {
  const schema = (input["requestedSchema"] ?? input["requested_schema"] ?? {}) as Schema;
  const properties = schema.properties;
  if (typeof properties !== "object" || properties === null) return [anything];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties as Record<string, Record<string, unknown>>).map(
    ([name, it]) => ({
      name,
      title: typeof it["title"] === "string" ? it["title"] : name,
      ...(typeof it["description"] === "string" && { description: it["description"] }),
      ...typeOf(it),
      required: required.includes(name),
    }),
  );
}

const anything: FormField = {
  name: "",
  title: "The answer, as a JSON object",
  type: "json",
  required: true,
};

function typeOf(it: Record<string, unknown>): Pick<FormField, "type" | "options"> {
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

/** What was filled in; undefined: something that is needed is missing or is not what it should be. */
export function contentOf(
  fields: readonly FormField[],
  values: Readonly<Record<string, string>>,
): Record<string, unknown> | undefined {
  const content: Record<string, unknown> = {};
  for (const field of fields) {
    const text = values[field.name]?.trim() ?? "";
    if (text === "" && !field.required) continue;
    const value = text === "" ? undefined : valueOf(field, text);
    if (value === undefined) return undefined;
    if (field.name !== "") content[field.name] = value;
    else if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    else return value as Record<string, unknown>;
  }
  return content;
}

function valueOf({ type }: FormField, text: string): unknown {
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
