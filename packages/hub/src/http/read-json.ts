import { isObject, isTooDeep } from "@signalbox/protocol/wire";
import { HubRefusal } from "../engine.ts";

const MAX_DEPTH = 64;

/** Requests whose bodies have arrived completely. */
const fullyReadRequests = new WeakSet<Request>();
/** The size up to which a body that no handler reads is read and discarded, if it has arrived already. */
const SMALL_BODY = 64 * 1024;
/** How long an answer waits for a small body that no handler reads. */
const DISCARD_MS = 250;

/**
 * Reads the rest of a small body. Returns false if some of the request may still arrive, so that the
 * connection cannot be reused: a client that sends slowly would keep it open for as long as it likes.
 */
export async function discardBody(request: Request): Promise<boolean> {
  if (fullyReadRequests.has(request)) return true;
  const { headers, body, bodyUsed } = request;
  const length = Number(headers.get("content-length") ?? 0);
  if (length === 0 && !headers.has("transfer-encoding")) return true;
  if (length > SMALL_BODY || headers.has("transfer-encoding") || !body || bodyUsed) return false;
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), DISCARD_MS);
  const read = readText(request, SMALL_BODY).then(
    () => true,
    () => fullyReadRequests.has(request),
  );
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads a body as text up to a limit; no more than that is ever held in memory. `count` is told how many
 * bytes have arrived, and may refuse them.
 */
export async function readText(
  request: Request,
  limit: number,
  count: (bytes: number) => void = () => {},
): Promise<string> {
  const tooLarge = () =>
    new HubRefusal(
      413,
      "too-large",
      `The body is larger than the ${limit} bytes that this route takes.`,
    );
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge();
  if (!request.body) return "";
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of readChunks(request.body)) {
    size += piece.byteLength;
    if (size > limit) throw tooLarge();
    count(piece.byteLength);
    pieces.push(piece);
  }
  fullyReadRequests.add(request);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw new HubRefusal(400, "not-utf-8", "The body is not UTF-8.");
  }
}

/**
 * Reads the chunks of a body. A body that breaks off is reported as the sender's error rather than the hub's.
 */
async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw new HubRefusal(400, "body-cut", "The body did not arrive whole.");
  }
}

/** Parses JSON from outside. Refuses excessive nesting, and removes keys that could change prototypes. */
export function readJson(text: string): unknown {
  if (isTooDeep(text, MAX_DEPTH)) {
    throw new HubRefusal(400, "too-deep", `The JSON is nested deeper than ${MAX_DEPTH}.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HubRefusal(400, "not-json", "This is not JSON.");
  }
  return text.includes("proto") || text.includes("\\u") ? withoutPrototypeKeys(value) : value;
}

/** Removes `__proto__`, and a `constructor` that holds a `prototype`; a plain key of that name may stay. */
function withoutPrototypeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypeKeys);
  if (!isObject(value)) return value;
  const safeEntries = Object.entries(value).filter(([key, inner]) => {
    if (key === "__proto__") return false;
    return key !== "constructor" || !isObject(inner) || !Object.hasOwn(inner, "prototype");
  });
  return Object.fromEntries(safeEntries.map(([key, inner]) => [key, withoutPrototypeKeys(inner)]));
}
