import { isObject } from "@signalbox/protocol/wire";
import type { ApiBlock, Entry } from "./conversation.ts";

const LINE = /^\s*<tools-used-before-summary>([^<]*)<\/tools-used-before-summary>/m;

export const toolsLine = (names: readonly string[]): string =>
  `<tools-used-before-summary>${names.join(", ")}</tools-used-before-summary>`;

/** Collects the names of tools in a conversation: of its calls, and of reports about subagents. */
export function namedTools(entries: readonly Entry[]): Set<string> {
  return new Set(entries.flatMap(({ content }) => content.flatMap(listNames)));
}

function listNames(block: ApiBlock): string[] {
  if (block.type === "tool_use") return [String(block["name"])];
  const { content, text } = block;
  const texts = Array.isArray(content)
    ? content.map((part: unknown) => (isObject(part) ? part["text"] : ""))
    : [content ?? text];
  return texts.flatMap((one) =>
    typeof one === "string" ? (LINE.exec(one)?.[1] ?? "").split(", ") : [],
  );
}
