import { HubRefusal } from "../engine.ts";
import type { ByteRange, Store } from "../store/store.ts";
import { problemResponse } from "./problems.ts";

/**
 * Parses a range of bytes as in RFC 9110. Undefined: the header asks for nothing that the hub serves as a
 * range, so the whole is sent.
 */
function readRange(header: string | null, size: number): ByteRange | "none" | undefined {
  const parts = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  const [, first = "", last = ""] = parts ?? [];
  if (!parts || (first === "" && last === "")) return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  return start >= end ? "none" : { start, end };
}

/** Serves bytes that an agent wrote, in a form that no browser shows or runs. */
export async function blobResponse(
  store: Pick<Store, "blob" | "blobSize">,
  hash: string,
  rangeHeader: string | null,
): Promise<Response> {
  const size = await store.blobSize(hash);
  if (size === undefined) throw new HubRefusal(404, "not-found", "No blob has this hash.");
  const range = readRange(rangeHeader, size);
  const headers = {
    "content-type": "application/octet-stream",
    "content-disposition": "attachment",
    "accept-ranges": "bytes",
    // Blobs are named by their content, so they never change.
    "cache-control": "private, max-age=31536000, immutable",
  };
  if (range === "none") {
    const detail = `The requested range is outside of the blob, which has ${size} bytes.`;
    const refusal = new HubRefusal(416, "no-such-range", detail);
    return problemResponse(refusal, {
      "accept-ranges": "bytes",
      "content-range": `bytes */${size}`,
      "cache-control": "no-store",
    });
  }
  const bytes = await store.blob(hash, range);
  if (!bytes) throw new HubRefusal(404, "not-found", "No blob has this hash.");
  const body = new Blob([new Uint8Array(bytes)]);
  if (!range) return new Response(body, { headers });
  const contentRange = `bytes ${range.start}-${range.end - 1}/${size}`;
  return new Response(body, {
    status: 206,
    headers: { ...headers, "content-range": contentRange },
  });
}
