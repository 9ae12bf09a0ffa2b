import { type Line, lineText, parseObject } from "@signalbox/protocol";

const KEEP_ALIVE_LENGTH = 200;

/** Removes `keep_alive` lines, which contain nothing that is worth storing. */
export function removeKeepAlive(batch: readonly Line[]): readonly Line[] {
  return batch.some(isKeepAlive) ? batch.filter((line) => !isKeepAlive(line)) : batch;
}

function isKeepAlive(line: Line): boolean {
  const text = lineText(line);
  if (text.length > KEEP_ALIVE_LENGTH || !text.includes("keep_alive")) return false;
  const body = parseObject(text);
  return typeof body !== "string" && body["type"] === "keep_alive";
}
