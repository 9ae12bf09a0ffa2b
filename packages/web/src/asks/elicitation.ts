import { type AskField, fieldsOf } from "./ask-text.ts";
import { describesFields } from "./form.ts";

type Input = Readonly<Record<string, unknown>>;

function textOf(input: Input, name: string): string | undefined {
  const value = input[name];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The address at which the server wants to be answered, instead of here. */
export function addressOf(input: Input): string | undefined {
  return textOf(input, "url");
}

/** What is shown elsewhere on the card: in its head, as its words, as the address, as fields to fill in. */
const elsewhere = new Set(["subtype", "message", "mcp_server_name", "url"]);
const schemas = new Set(["requested_schema", "requestedSchema"]);

/** Everything else that came with it, nothing left out but what is empty. */
export function particularsOf(input: Input): readonly AskField[] {
  const filledIn = describesFields(input);
  const entries = Object.entries(input).filter(
    ([name, value]) =>
      !elsewhere.has(name) &&
      !(filledIn && schemas.has(name)) &&
      value !== null &&
      value !== undefined,
  );
  return fieldsOf({ input: Object.fromEntries(entries) });
}
