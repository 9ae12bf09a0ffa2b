import { isObject, type JsonObject, parseObject } from "../json.ts";

/** A line of a transcript that was read: an entry, or text in which none was found. */
type TranscriptPiece = { readonly entry: JsonObject } | { readonly noise: string };

/** More pieces than are ever glued together by writers that interfere with each other. */
const MAX_PIECES = 64;
/** Longer damaged lines are not searched. */
const MAX_SEARCHED = 4 * 1024 * 1024;
/** Where an entry can begin inside of a damaged line. */
const BEGINNING = /\{"(?:parentUuid|type|uuid|isSidechain|sessionId|logicalParentUuid)":/g;

/**
 * Reads a line of a transcript. Two processes that write at once can glue entries together or tear
 * them apart: whole entries inside of such a line are found, and the rest of it is returned as
 * noise.
 */
export function splitEntries(text: string): TranscriptPiece[] {
  const whole = parseObject(text);
  if (isObject(whole)) return [{ entry: whole }];
  if (whole !== "not JSON" || text.length > MAX_SEARCHED) return [{ noise: text }];
  const pieces: TranscriptPiece[] = [];
  const starts = [...text.matchAll(BEGINNING)].map(({ index }) => index).slice(0, MAX_PIECES);
  let from = 0;
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] ?? 0;
    if (start < from) continue;
    const found = findEntry(text, start, starts.slice(i + 1));
    if (!found) continue;
    if (start > from) pieces.push({ noise: text.slice(from, start) });
    pieces.push({ entry: found.entry });
    from = found.end;
  }
  if (from < text.length) pieces.push({ noise: text.slice(from) });
  return pieces;
}

/** The shortest entry that begins here: it ends where another begins, or with the line. */
function findEntry(
  text: string,
  start: number,
  ends: readonly number[],
): { entry: JsonObject; end: number } | undefined {
  for (const end of [...ends, text.length]) {
    if (text[end - 1] !== "}" && end !== text.length) continue;
    const entry = parseObject(text.slice(start, end));
    if (isObject(entry)) return { entry, end };
  }
  return undefined;
}
