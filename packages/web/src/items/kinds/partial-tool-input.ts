import { parsePartialFields } from "../../text/partial-json.ts";

/** What is known of a tool call while its input is still being written. */
interface PartialToolInput {
  readonly path?: string;
  readonly command?: string;
  readonly description?: string;
  readonly content?: string;
}

/** The fields that hold the new content, in order of preference. */
const contentFields = ["content", "new_string", "new_source"];
const pathFields = ["file_path", "notebook_path", "path"];

/** Undefined if the input has no field that reads better than its JSON. */
export function parsePartialInput(inputText: string): PartialToolInput | undefined {
  const fields = parsePartialFields(inputText);
  if (!fields) return undefined;
  const first = (names: readonly string[]) =>
    names.map((name) => fields.get(name)).find((value) => value !== undefined);
  const path = first(pathFields);
  const command = fields.get("command");
  if (path === undefined && command === undefined) return undefined;
  const description = fields.get("description");
  const content = first(contentFields);
  return {
    ...(path !== undefined && { path }),
    ...(command !== undefined && { command }),
    ...(description !== undefined && { description }),
    ...(content !== undefined && { content }),
  };
}
