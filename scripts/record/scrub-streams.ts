import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import type { Row } from "./recording-driver.ts";

type Piece = { delta: JsonObject; field: string; text: string };

/** A path may arrive in two deltas, so streamed blocks are scrubbed whole and cut anew. */
export function scrubStreams(rows: readonly Row[], scrubText: (text: string) => string): void {
  for (const pieces of streamedBlocks(rows)) {
    const whole = pieces.map(({ text }) => text).join("");
    const clean = scrubText(whole);
    if (clean === whole) continue;
    const scale = clean.length / whole.length;
    let [read, from] = [0, 0];
    for (const { delta, field, text } of pieces) {
      read += text.length;
      const to = Math.round(read * scale);
      delta[field] = clean.slice(from, to);
      from = to;
    }
  }
}

const fields = ["text", "partial_json", "thinking"];

function streamedBlocks(rows: readonly Row[]): Piece[][] {
  const blocks: Piece[][] = [];
  const open = new Map<string, Piece[]>();
  for (const row of rows) {
    const line = "line" in row && isObject(row.line) ? row.line : {};
    const event = line["type"] === "stream_event" && isObject(line["event"]) ? line["event"] : {};
    const key = JSON.stringify([line["parent_tool_use_id"], event["index"]]);
    if (event["type"] === "content_block_start") {
      const pieces: Piece[] = [];
      blocks.push(pieces);
      open.set(key, pieces);
    }
    const { delta } = event;
    const field = isObject(delta) ? fields.find((name) => typeof delta[name] === "string") : null;
    if (!isObject(delta) || !field) continue;
    open.get(key)?.push({ delta, field, text: String(delta[field]) });
  }
  return blocks;
}
