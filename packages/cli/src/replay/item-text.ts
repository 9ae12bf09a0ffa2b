import { escapeForTerminal } from "@signalbox/protocol/text";
import type { Item } from "@signalbox/timeline";

/** Formats an item as lines of plain text, with items of subagents indented. Bookkeeping items have no text. */
export function formatItem(item: Item, depth = item.parent === undefined ? 0 : 1): string[] {
  const margin = "    ".repeat(Math.min(depth, MAX_DEPTH));
  return formatContent(item).flatMap((text) =>
    escapeForTerminal(text)
      .split("\n")
      .map((line) => margin + line),
  );
}

/** Deeper lines would have no room left. */
const MAX_DEPTH = 8;

/** The number of calls that an item is nested in. */
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
      // The prompt of a subagent comes from its call.
      return [`${item.origin === "agent" ? "prompt:" : ">"} ${formatPrompt(item.content)}`, ""];
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
      return [`· background task: ${item.description} [${item.status}]`];
    case "hook":
      return [`· hook ${item.name} (${item.event}) [${item.outcome ?? item.state}]`];
    case "compaction":
      return [`· compaction: ${item.state}`];
    case "notice":
      return item.level === "aside" ? [] : [`· ${item.text}`]; // only for the model
    case "block":
      return [`· ${JSON.stringify(item.block)}`];
    case "opaque":
      return [`· ${item.name} (${item.why}): ${item.raw}`];
    default:
      return item satisfies never;
  }
}

/** Describes how a call ran differently than expected, with the input that ran. */
export function formatMark({
  text,
  ran,
}: NonNullable<Extract<Item, { kind: "tool" }>["mark"]>): string[] {
  return ran === undefined ? [text] : [text, ran];
}

function formatAskStatus({ status, behavior }: Extract<Item, { kind: "ask" }>): string {
  if (status === "expired") return status;
  return status === "cancelled" ? "withdrawn" : (behavior ?? status);
}

function formatBackground({ background }: Extract<Item, { kind: "tool" }>): string {
  return background === undefined ? "" : `, background [${background.status}]`;
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
