import type { CutBody } from "@signalbox/api";
import { BODY_LIMIT } from "@signalbox/api/constants";
import type { Item } from "@signalbox/timeline";
import { isGrowing } from "@signalbox/timeline/view";
import type { Change } from "../store/store.ts";

const KEPT_CHARACTERS = 2048;

interface SerializedItem {
  readonly json: string;
  readonly blobs: readonly Extract<Change, { kind: "blob" }>[];
}

/**
 * An item as it is stored and sent. Long texts become blobs, of which the item keeps both ends. A text that
 * still grows is not split off, because that would make a new blob four times a second.
 */
export function serializeItem(session: string, item: Item): SerializedItem {
  const json = JSON.stringify(item);
  if (json.length <= BODY_LIMIT || isGrowing(item)) return { json, blobs: [] };
  const blobs: Extract<Change, { kind: "blob" }>[] = [];
  const cut = JSON.stringify(item, (_, value: unknown) =>
    typeof value === "string" && value.length > BODY_LIMIT
      ? extractBlob(session, value, blobs)
      : value,
  );
  return { json: cut, blobs };
}

function extractBlob(
  session: string,
  text: string,
  blobs: Extract<Change, { kind: "blob" }>[],
): CutBody {
  const bytes = new TextEncoder().encode(text);
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  blobs.push({ kind: "blob", session, hash, bytes });
  return {
    $blob: hash,
    bytes: bytes.length,
    characters: text.length,
    head: text.slice(0, alignToCodePoint(text, KEPT_CHARACTERS)),
    tail: text.slice(alignToCodePoint(text, text.length - KEPT_CHARACTERS)),
  };
}

/** The next position near `at` that does not split a surrogate pair. */
function alignToCodePoint(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
