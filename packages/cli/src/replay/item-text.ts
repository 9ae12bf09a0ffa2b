import { escapeForTerminal } from "@signalbox/protocol/text";
import type { Item } from "@signalbox/timeline";

/** An item as lines of plain text; what only books are kept with has none. What a subagent did is set in. */
export function formatItem(item: Item, depth = item.parent === undefined ? 0 : 1): string[] {
  const margin = "    ".repeat(Math.min(depth, MAX_DEPTH));
  return formatContent(item).flatMap((text) =>
    escapeForTerminal(text)
      .split("\n")
      .map((line) => margin + line),
  );
}

/** Deeper than that a line has no room left. */
const MAX_DEPTH = 8;

/** Under how many calls an item hangs. */
export function getDepth(item: Item, items: ReadonlyMap<string, Item>): number {
  let depth = 0;
  for (let at: Item | undefined = item; at?.parent !== undefined && depth < MAX_DEPTH; depth++) {
    at = items.get(at.parent);
  }
  return depth;
}

function formatContent(item: Item): string[] {
  switch (item.kind) {
    case "prompt":
      // What a subagent is told, its call says to it.
      return [`${item.origin === "agent" ? "told:" : ">"} ${formatPrompt(item.content)}`, ""];
    case "text":
      return [item.text, ""];
    case "thinking":
      return [`✻ ${item.text}`, ""];
    case "tool":
      return [
        `● ${item.name} ${item.title} [${item.status}]${formatBackground(item)}`,
        ...(item.mark
          ? formatMark(item.mark).map((text, i) => `${i === 0 ? "  ⚠ " : "    "}${text}`)
          : []),
        "",
      ];
    case "ask":
      return [
        `▲ ${item.title}: ${formatAskStatus(item)}${item.message ? ` (${item.message})` : ""}`,
        "",
      ];
    case "turn-end":
      return [...(item.text === undefined ? [] : [item.text]), `— ${formatTurnEnd(item)}`, ""];
    case "task":
      return [`· in the background: ${item.description} [${item.status}]`];
    case "hook":
      return [`· hook ${item.name} (${item.event}) [${item.outcome ?? item.state}]`];
    case "compaction":
      return [`· compaction: ${item.state}`];
    case "notice":
      return item.level === "aside" ? [] : [`· ${item.text}`]; // said to the model
    case "block":
      return [`· ${JSON.stringify(item.block)}`];
    case "opaque":
      return [`· ${item.name} (${item.why}): ${item.raw}`];
    default:
      return item satisfies never;
  }
}

/** How a call ran otherwise than a person could expect, and the input with which it ran. */
export function formatMark({
  text,
  ran,
}: NonNullable<Extract<Item, { kind: "tool" }>["mark"]>): string[] {
  return ran === undefined ? [text] : [text, ran];
}

function formatAskStatus({ status, behavior }: Extract<Item, { kind: "ask" }>): string {
  if (status === "expired") return status;
  return status === "cancelled" ? "no longer asked" : (behavior ?? status);
}

function formatBackground({ background }: Extract<Item, { kind: "tool" }>): string {
  return background === undefined ? "" : `, in the background [${background.status}]`;
}

function formatPrompt(content: Extract<Item, { kind: "prompt" }>["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (typeof part["text"] === "string" ? part["text"] : `[${part.type}]`))
    .join(" ");
}

function formatTurnEnd(turn: Extract<Item, { kind: "turn-end" }>): string {
  const seconds =
    turn.durationMs === undefined ? "" : ` · ${(turn.durationMs / 1000).toFixed(1)} s`;
  const cost = turn.costUsd === undefined ? "" : ` · $${turn.costUsd.toFixed(4)}`;
  return `${turn.status}${turn.error === undefined ? "" : `: ${turn.error}`}${seconds}${cost}`;
}
