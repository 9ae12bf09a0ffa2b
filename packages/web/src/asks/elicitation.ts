import { type AskField, listFields } from "./ask-text.ts";
import { hasNamedFields } from "./form.ts";

type Input = Readonly<Record<string, unknown>>;

function getText(input: Input, name: string): string | undefined {
  const value = input[name];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The web address where the server wants the person to answer. */
export function getAddress(input: Input): string | undefined {
  return getText(input, "url");
}

/** Input fields that other parts of the card show. */
const shownElsewhere = new Set(["subtype", "message", "mcp_server_name", "url"]);
const schemaFields = new Set(["requested_schema", "requestedSchema"]);

/** All other input fields that have a value. */
export function listDetails(input: Input): readonly AskField[] {
  const filledIn = hasNamedFields(input);
  const entries = Object.entries(input).filter(
    ([name, value]) =>
      !shownElsewhere.has(name) &&
      !(filledIn && schemaFields.has(name)) &&
      value !== null &&
      value !== undefined,
  );
  return listFields({ input: Object.fromEntries(entries) });
}
