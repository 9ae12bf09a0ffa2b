import { AGENT_SAID, type Mention, PERSON_SAID } from "../store/mentions.ts";
import {
  beginning,
  type Body,
  brief,
  endsOf,
  isCut,
  type ShownItem,
  type ShownItemOf,
} from "../text/body.ts";
import { relativePath } from "../text/path.ts";

/** A stretch of text that was selected, and where it stands. */
export interface Selected {
  readonly text: string;
  readonly file?: string;
  /** Numbers of the lines it covers, as far as they are shown. */
  readonly lines: readonly number[];
}

/** An item as something to speak of; none for what has no words. */
export function mentionOf(item: ShownItem, folder?: string): Mention | undefined {
  switch (item.kind) {
    case "prompt":
      return filled(PERSON_SAID, promptText(item.content));
    case "text":
      return filled(AGENT_SAID, endsOf(item.text));
    case "tool":
      return { source: sourceOf(item, folder), text: toolText(item) };
    default:
      return undefined;
  }
}

/** The file that a call is about. */
export function mentionOfFileOf(item: ShownItem, folder?: string): Mention | undefined {
  const path = pathOf(item);
  return path === "" ? undefined : mentionOfFile(path, folder);
}

/** A file as a whole: the agent can look at it by itself. */
export function mentionOfFile(path: string, folder?: string): Mention {
  return { source: `the file ${relativePath(path, folder)}`, text: "" };
}

/** Selected text as something to speak of: by file and lines where it stands in one. */
export function mentionOfSelection(
  selected: Selected,
  item: ShownItem | undefined,
  folder?: string,
  elsewhere = "this",
): Mention | undefined {
  const { text, file, lines } = selected;
  if (file !== undefined) return filled(relativePath(file, folder) + linesText(lines), text);
  return filled(item ? sourceOf(item, folder) : elsewhere, text);
}

function sourceOf(item: ShownItem, folder?: string): string {
  if (item.kind === "prompt") return PERSON_SAID;
  if (item.kind === "text") return AGENT_SAID;
  if (item.kind !== "tool") return "this";
  const file = pathOf(item);
  const name = brief(item.name, 60);
  return file === ""
    ? `the call of ${name}`
    : `the call of ${name} on ${relativePath(file, folder)}`;
}

function pathOf(item: ShownItem): string {
  const payload = item.kind === "tool" ? item.payload : undefined;
  return payload && "filePath" in payload ? beginning(payload.filePath, 4096) : "";
}

/** What a call did: of a change the change itself, since one file has many. */
function toolText({ payload, title, name }: ShownItemOf<"tool">): string {
  const patch = payload?.kind === "modify_file" ? payload.output?.patch : undefined;
  const lines = patch?.flatMap((hunk) => hunk.lines.map(endsOf)) ?? [];
  return lines.join("\n").trim() === "" ? endsOf(title) || brief(name) : lines.join("\n");
}

function linesText(lines: readonly number[]): string {
  if (lines.length === 0) return "";
  const first = Math.min(...lines);
  const last = Math.max(...lines);
  return first === last ? `, line ${first}` : `, lines ${first}-${last}`;
}

function promptText(content: unknown): string {
  if (typeof content === "string" || isCut(content)) return endsOf(content);
  if (!Array.isArray(content)) return "";
  return content
    .map((part: { readonly text?: unknown }) => part.text)
    .filter((text): text is Body => typeof text === "string" || isCut(text))
    .map(endsOf)
    .join("\n");
}

function filled(source: string, text: string): Mention | undefined {
  return text.trim() === "" ? undefined : { source, text };
}
