import { AGENT_MESSAGE, type Mention, OWN_MESSAGE } from "../store/mentions.ts";
import {
  toShortRawText,
  type Body,
  toShortText,
  joinEnds,
  isCut,
  type DisplayItem,
  type DisplayItemOfKind,
} from "../text/body.ts";
import { relativePath } from "../text/path.ts";
import { strings } from "../strings/strings.ts";

const words = strings.mentions;

/** Selected text and where it is. */
export interface SelectedText {
  readonly text: string;
  readonly file?: string;
  /** The line numbers it covers, if they are shown. */
  readonly lines: readonly number[];
}

/** A mention of an item. Undefined for items without text. */
export function mentionItem(item: DisplayItem, folder?: string): Mention | undefined {
  switch (item.kind) {
    case "prompt":
      return createMention(OWN_MESSAGE, promptText(item.content));
    case "text":
      return createMention(AGENT_MESSAGE, joinEnds(item.text));
    case "tool":
      return { source: describeSource(item, folder), text: toolText(item) };
    default:
      return undefined;
  }
}

/** A mention of the file that a tool call is about. */
export function mentionItemFile(item: DisplayItem, folder?: string): Mention | undefined {
  const path = getPath(item);
  return path === "" ? undefined : mentionFile(path, folder);
}

/** A mention of a whole file. The agent can read it by itself. */
export function mentionFile(path: string, folder?: string): Mention {
  return { source: words.file(relativePath(path, folder)), text: "" };
}

/** A mention of selected text, by file and lines if it is in a file. */
export function mentionSelection(
  selected: SelectedText,
  item: DisplayItem | undefined,
  folder?: string,
  elsewhere: string = words.selection,
): Mention | undefined {
  const { text, file, lines } = selected;
  if (file !== undefined) return createMention(relativePath(file, folder) + linesText(lines), text);
  return createMention(item ? describeSource(item, folder) : elsewhere, text);
}

function describeSource(item: DisplayItem, folder?: string): string {
  if (item.kind === "prompt") return OWN_MESSAGE;
  if (item.kind === "text") return AGENT_MESSAGE;
  if (item.kind !== "tool") return words.selection;
  const file = getPath(item);
  const name = toShortText(item.name, 60);
  return file === "" ? words.call(name) : words.callOnFile(name, relativePath(file, folder));
}

function getPath(item: DisplayItem): string {
  const payload = item.kind === "tool" ? item.payload : undefined;
  return payload && "filePath" in payload ? toShortRawText(payload.filePath, 4096) : "";
}

/**
 * The text that represents a tool call. For a change it is the patch, since a file may be changed many times.
 */
function toolText({ payload, title, name }: DisplayItemOfKind<"tool">): string {
  const patch = payload?.kind === "modify_file" ? payload.output?.patch : undefined;
  const lines = patch?.flatMap((hunk) => hunk.lines.map(joinEnds)) ?? [];
  return lines.join("\n").trim() === "" ? joinEnds(title) || toShortText(name) : lines.join("\n");
}

function linesText(lines: readonly number[]): string {
  if (lines.length === 0) return "";
  const first = Math.min(...lines);
  const last = Math.max(...lines);
  return first === last ? words.line(first) : words.lines(first, last);
}

function promptText(content: unknown): string {
  if (typeof content === "string" || isCut(content)) return joinEnds(content);
  if (!Array.isArray(content)) return "";
  return content
    .map((part: { readonly text?: unknown }) => part.text)
    .filter((text): text is Body => typeof text === "string" || isCut(text))
    .map(joinEnds)
    .join("\n");
}

function createMention(source: string, text: string): Mention | undefined {
  return text.trim() === "" ? undefined : { source, text };
}
