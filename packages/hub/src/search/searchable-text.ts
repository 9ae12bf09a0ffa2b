import type { Item } from "@signalbox/timeline";
import { isGrowing } from "@signalbox/timeline/view";

/** What can be found of an item. */
interface SearchableItem {
  readonly kind: Item["kind"];
  readonly text: string;
  readonly tool: string | undefined;
  readonly path: string | undefined;
  readonly isMine: boolean;
  readonly isError: boolean;
}

/** Reads the whole text of a body that is stored by itself; undefined: it is not there. */
type ReadBody = (hash: string) => string | undefined;

/** What is repeated elsewhere in the same item, is no text, or is for programs. */
const skippedFields = new Set([
  "kind",
  "type",
  "id",
  "uuid",
  "images",
  "data",
  "patch",
  "diff",
  "suggestions",
  "granted",
  "callId",
  "agentId",
  "taskId",
  "ask",
  "status",
  "state",
  "behavior",
  "signature",
  "media_type",
  "mediaType",
]);
/** A text of this many characters is cut: it is data and not something that was said. */
const MAX_CHARACTERS = 2_000_000;

/** Undefined: there is nothing to find, or not yet. */
export function extractSearchable(item: Item, readBody: ReadBody): SearchableItem | undefined {
  if (isGrowing(item)) return undefined;
  const texts: string[] = [];
  collectTexts(selectContent(item), readBody, texts);
  const text = texts.join("\n").slice(0, MAX_CHARACTERS);
  const path = findPath(item);
  if (text.trim() === "" && path === undefined) return undefined;
  return {
    kind: item.kind,
    text,
    tool: item.kind === "tool" ? item.name : undefined,
    path,
    isMine: item.kind === "prompt" && item.origin === "person",
    isError: isError(item),
  };
}

function selectContent(item: Item): unknown {
  switch (item.kind) {
    case "prompt":
      return [item.content, item.context];
    case "text":
    case "thinking":
      return item.text;
    case "tool":
      return [item.title, item.payload, item.summary, item.background?.summary];
    case "ask":
      // The call that it is about has its input.
      return item.callId === undefined
        ? [item.title, item.description, item.input, item.message]
        : item.message;
    case "turn-end":
      return item.error;
    case "task":
      return [item.description, item.summary];
    case "hook":
      return [item.name, item.output];
    case "compaction":
      return [item.summary, item.error];
    case "notice":
      return item.level === "aside" ? undefined : item.text;
    case "block":
      return item.block;
    case "opaque":
      return item.raw;
    default:
      return item satisfies never;
  }
}

function collectTexts(value: unknown, readBody: ReadBody, into: string[]): void {
  if (typeof value === "string") {
    if (value !== "" && into.at(-1) !== value) into.push(value);
  } else if (Array.isArray(value)) {
    for (const each of value) collectTexts(each, readBody, into);
  } else if (typeof value === "object" && value !== null) {
    if ("$blob" in value && typeof value.$blob === "string") {
      collectTexts(readBody(value.$blob) ?? cutText(value), readBody, into);
      return;
    }
    for (const [field, each] of Object.entries(value)) {
      if (!skippedFields.has(field)) collectTexts(each, readBody, into);
    }
  }
}

function cutText(body: object): string {
  const { head = "", tail = "" } = body as { head?: string; tail?: string };
  return `${head}\n${tail}`;
}

function findPath(item: Item): string | undefined {
  if (item.kind === "ask") return item.blockedPath;
  if (item.kind !== "tool" || !item.payload) return undefined;
  const { filePath, path } = item.payload as { filePath?: unknown; path?: unknown };
  return [filePath, path].find((one) => typeof one === "string");
}

function isError(item: Item): boolean {
  if (item.kind === "tool") return item.status === "error";
  if (item.kind === "turn-end") return item.status === "error" || item.status === "crashed";
  if (item.kind === "notice") return item.level === "error";
  return item.kind === "compaction" && item.state === "failed";
}
