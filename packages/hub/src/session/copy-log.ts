import { noteLine, parseObject } from "@signalbox/protocol";
import { READABLE } from "@signalbox/runner";
import { Refusal } from "../engine.ts";
import type { Change, LineRow, Store } from "../log/store.ts";

const PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;

/** All rows of a session's log, in order. */
async function* rowsOf(store: Store, session: string): AsyncGenerator<LineRow, void, undefined> {
  for (let after = 0; ;) {
    const rows = await store.linesAfter(session, after, PAGE, PAGE_BYTES);
    if (rows.length === 0) return;
    yield* rows;
    after = rows.at(-1)?.pos ?? after;
  }
}

/**
 * Where a log is cut so that it ends with a message: behind it, and behind the end of its turn when
 * nothing else was said in that. Refuses a message that nobody said.
 */
async function cutAfter(store: Store, session: string, at: string): Promise<number> {
  let cut: number | undefined;
  for await (const { pos, text } of rowsOf(store, session)) {
    const body = text.length > READABLE ? "" : parseObject(text);
    const { type, uuid } = typeof body === "string" ? {} : body;
    if (uuid === at && (type === "user" || type === "assistant")) cut = pos;
    else if (cut !== undefined && type === "result") return pos;
    else if (cut !== undefined && (type === "user" || type === "assistant")) return cut;
  }
  if (cut !== undefined) return cut;
  throw noSuchMessage();
}

function noSuchMessage(): Refusal {
  const detail = "There is no such message in this session: name the uuid of a message in its log.";
  return new Refusal(422, "no-such-message", detail);
}

/** Where a fork begins, as it is asked for: behind a message, or before one of a person's. */
export interface ForkPoint {
  readonly at?: string | undefined;
  readonly before?: string | undefined;
}
/** The last place of the log that a fork keeps, and the message after which the agent goes on; null: none. */
export interface Cut {
  readonly end: number;
  readonly at: string | null;
}

export async function cutOf(
  store: Store,
  from: string,
  point: ForkPoint,
): Promise<Cut | undefined> {
  const { at, before } = point;
  if (before !== undefined) return cutBefore(store, from, before);
  return at === undefined ? undefined : { end: await cutAfter(store, from, at), at };
}

/** Without a message and all that came after it: behind the last one of the conversation before it. */
async function cutBefore(store: Store, session: string, before: string): Promise<Cut> {
  let last: string | null = null;
  for await (const { pos, from, text } of rowsOf(store, session)) {
    const body = text.length > READABLE ? "" : parseObject(text);
    const { type, uuid, parent_tool_use_id: lane } = typeof body === "string" ? {} : body;
    if (type !== "user" && type !== "assistant") continue;
    if (uuid === before) return { end: pos - 1, at: last };
    if (from === "agent" && typeof uuid === "string" && typeof lane !== "string") last = uuid;
  }
  throw noSuchMessage();
}

/** Gives a forked session the log of the one it came from, up to a place in it, and says so at its end. */
export function copyLog(from: string, to: string, end: number): Change[] {
  return [
    { kind: "log-copied", from, to, end },
    { kind: "line", row: lastRow(to, end + 1) },
  ];
}

/** Whatever was under way in the original is not under way in the copy. */
function lastRow(session: string, pos: number): LineRow {
  const sentence = "Forked here: from now on this session goes its own way.";
  const note = { run: "fork", status: "parked", kind: "forked", sentence } as const;
  const text = noteLine("run_ended", note);
  const facts = {
    seq: null,
    run: null,
    from: "keeper",
    droppedBytes: null,
    original: null,
    characters: null,
    textBlob: null,
    originalBlob: null,
  } as const;
  return { session, pos, at: Date.now(), text, ...facts };
}
