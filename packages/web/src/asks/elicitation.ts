import { type AskField, listFields } from "./ask-text.ts";
import { hasNamedFields } from "./form.ts";

type Input = Readonly<Record<string, unknown>>;

function getText(input: Input, name: string): string | undefined {
  const value = input[name];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The address at which the server wants to be answered, instead of here. */
export function getAddress(input: Input): string | undefined {
  return getText(input, "url");
}

/** What is shown elsewhere on the card: in its head, as its words, as the address, as fields to fill in. */
const shownElsewhere = new Set(["subtype", "message", "mcp_server_name", "url"]);
const schemaFields = new Set(["requested_schema", "requestedSchema"]);

/** Everything else that came with it, nothing left out but what is empty. */
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
