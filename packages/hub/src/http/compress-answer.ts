import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptsGzip } from "./content-encoding.ts";
import type { StoredAnswer } from "./receipts.ts";

const compress = promisify(gzip);
/** A shorter answer is sent as it is. */
const MIN_CHARACTERS = 2048;

/** A long answer, compressed; undefined if it is short or the client does not accept that. */
export async function compressAnswer(
  { status, body }: StoredAnswer,
  request: Headers,
): Promise<Response | undefined> {
  if (body.length < MIN_CHARACTERS || !acceptsGzip(request.get("accept-encoding")))
    return undefined;
  return new Response(await compress(body, { level: 4 }), {
    status,
    headers: {
      "content-type": "application/json",
      "content-encoding": "gzip",
      vary: "accept-encoding",
    },
  });
}
