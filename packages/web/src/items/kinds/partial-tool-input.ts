import { parsePartialFields } from "../../text/partial-json.ts";

/** What a call will be, as far as its input is written. */
interface PartialToolInput {
  /** The file it is about. */
  readonly path?: string;
  readonly command?: string;
  /** The words that explain it. */
  readonly description?: string;
  /** What it will write. */
  readonly content?: string;
}

/** The fields in which tools that write carry what they write, the first that is there. */
const contentFields = ["content", "new_string", "new_source"];
const pathFields = ["file_path", "notebook_path", "path"];

/** Undefined where the input has nothing that reads better than its JSON. */
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
