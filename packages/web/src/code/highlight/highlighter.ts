import type { Language } from "./languages.ts";
import type { HighlightReply, HighlightRequest } from "./messages.ts";
import type { TokenLine } from "./tokens.ts";

/** Longer code is not highlighted, because it would take seconds. */
const HIGHLIGHT_LIMIT = 100_000;
/** How many results are cached, so that code which scrolls back into view is not highlighted again. */
const CACHE_SIZE = 100;
const MAX_CACHED_LENGTH = 20_000;

type Answer = readonly TokenLine[] | undefined;

const pending = new Map<number, (answer: Answer) => void>();
const cache = new Map<string, Promise<Answer>>();
let worker: Promise<Worker> | undefined;
let lastId = 0;

async function openWorker(): Promise<Worker> {
  const [{ workerAddress }, { trustedScript }] = await Promise.all([
    import("./worker-address.ts"),
    import("../../browser/trusted-script.ts"),
  ]);
  const opened = new Worker(trustedScript(workerAddress), { type: "module", name: "highlighter" });
  opened.addEventListener("message", ({ data }: MessageEvent<HighlightReply>) => {
    pending.get(data.id)?.(data.lines);
    pending.delete(data.id);
  });
  opened.addEventListener("error", () => {
    worker = undefined; // The next request starts a new worker.
    for (const answer of pending.values()) answer(undefined);
    pending.clear();
  });
  return opened;
}

/** Highlights code. Resolves to undefined if that is not possible; never rejects. */
export function highlight(code: string, language: Language): Promise<Answer> {
  if (code.length > HIGHLIGHT_LIMIT || typeof Worker === "undefined") {
    return Promise.resolve(undefined);
  }
  const key = `${language}\n${code}`;
  const known = cache.get(key);
  if (known) return known;
  const asked = requestHighlight(code, language).catch(() => {
    worker = undefined;
    cache.delete(key);
    return undefined;
  });
  if (code.length > MAX_CACHED_LENGTH) return asked;
  cache.set(key, asked);
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
  return asked;
}

async function requestHighlight(code: string, language: Language): Promise<Answer> {
  worker ??= openWorker();
  const opened = await worker;
  const request: HighlightRequest = { id: ++lastId, code, language };
  return new Promise((resolve) => {
    pending.set(request.id, resolve);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    opened.postMessage(request);
  });
}
