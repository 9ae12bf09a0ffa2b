import type { Item } from "@signalbox/timeline";

/** A part of a call that is shown: its input or its result. */
interface BlockSection {
  readonly text: string;
  /** For highlighting, such as `diff`. */
  readonly language: string;
}

/** What an export shows of an item, in whatever format. */
export type ExportBlock = { readonly depth: number } & (
  | { readonly kind: "prompt" | "text" | "thinking"; readonly text: string }
  | { readonly kind: "note" | "end"; readonly text: string; readonly isError: boolean }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly title: string;
      readonly isError: boolean;
      readonly sections: readonly BlockSection[];
    }
);

const MAX_DEPTH = 6;

/** What an export shows of an item; undefined: nothing. `depth`: in how many calls of subagents it is. */
export function toBlock(item: Item, depth: number): ExportBlock | undefined {
  const place = { depth: Math.min(depth, MAX_DEPTH) };
  switch (item.kind) {
    case "prompt":
      return { ...place, kind: "prompt", text: formatPrompt(item.content) };
    case "text":
    case "thinking":
      return item.text.trim() === "" ? undefined : { ...place, kind: item.kind, text: item.text };
    case "tool": {
      const { name, title, status } = item;
      const isError = status === "error";
      return { ...place, kind: "call", name, title, isError, sections: listSections(item) };
    }
    case "ask": {
      const answer = item.behavior ?? item.status;
      const message = item.message === undefined ? "" : ` (${item.message})`;
      return { ...place, kind: "note", text: `${item.title}: ${answer}${message}`, isError: false };
    }
    case "turn-end":
      return { ...place, kind: "end", ...formatEnd(item) };
    case "compaction":
      return { ...place, kind: "note", text: item.summary ?? "Compacted", isError: false };
    case "notice":
      if (item.level === "aside") return undefined;
      return { ...place, kind: "note", text: item.text, isError: item.level === "error" };
    case "task":
      return {
        ...place,
        kind: "note",
        text: `${item.description}: ${item.status}`,
        isError: false,
      };
    case "block":
    case "hook":
    case "opaque":
      return undefined;
    default:
      return item satisfies never;
  }
}

function formatPrompt(content: Extract<Item, { kind: "prompt" }>["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (typeof part["text"] === "string" ? part["text"] : `[${part.type}]`))
    .join("\n");
}

function formatEnd({ status, error, durationMs, costUsd }: Extract<Item, { kind: "turn-end" }>) {
  const facts = [
    ...(durationMs === undefined ? [] : [`${(durationMs / 1000).toFixed(1)} s`]),
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(4)}`]),
  ];
  const isError = status !== "success";
  const head = isError ? [error === undefined ? status : `${status}: ${error}`] : [];
  return { text: [...head, ...facts].join(" · "), isError };
}

/** Fields that name something instead of showing it. */
const hiddenFields = new Set(["kind", "error", "images", "patch", "structured", "truncated"]);

function listSections(item: Extract<Item, { kind: "tool" }>): BlockSection[] {
  const { payload } = item;
  if (!payload) return [];
  const sections: BlockSection[] = [];
  const add = (text: unknown, language = "") => {
    if (typeof text === "string" && text.trim() !== "") sections.push({ text, language });
  };
  if (payload.kind === "shell_exec") {
    add(payload.command, "bash");
    add([payload.output?.stdout, payload.output?.stderr].filter(Boolean).join("\n"));
  } else if (payload.kind === "modify_file") {
    add(payload.output?.diff, "diff");
    if (!payload.output) for (const each of payload.mutations) add(each.newContent ?? each.content);
  } else if (payload.kind === "read_file") add(payload.output?.content);
  else add(collect(payload).join("\n"));
  add(payload.error);
  return sections;
}

function collect(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(collect);
  return Object.entries(value).flatMap(([name, each]) =>
    hiddenFields.has(name) ? [] : collect(each),
  );
}
