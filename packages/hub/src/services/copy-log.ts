import { formatLogMarker, parseObject } from "@signalbox/protocol";
import { READABLE } from "@signalbox/host/asks";
import { Refusal } from "../refusal.ts";
import type { Change, LineRow, Store } from "../store/store.ts";

const PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;

/** What a line of the log says about the course of the conversation. */
interface LogStep {
  readonly pos: number;
  readonly from: LineRow["from"];
  readonly type: unknown;
  readonly uuid: string | undefined;
  readonly isMessage: boolean;
  /** Whether the main agent's conversation has this message, and not a subagent's. */
  readonly isMain: boolean;
  /** A retry went back to this message; null: to the beginning. What came since is cut off. */
  readonly rewoundTo: string | null | undefined;
}

/** All of a session's log, in order. */
async function* readLogSteps(
  store: Store,
  session: string,
): AsyncGenerator<LogStep, void, undefined> {
  for (let after = 0; ;) {
    const rows = await store.linesAfter(session, after, PAGE, PAGE_BYTES);
    if (rows.length === 0) return;
    for (const row of rows) yield parseLogStep(row);
    after = rows.at(-1)?.pos ?? after;
  }
}

function parseLogStep({ pos, from, text }: LineRow): LogStep {
  const read = text.length > READABLE ? "" : parseObject(text);
  const body = typeof read === "string" ? {} : read;
  const { type, uuid } = body;
  return {
    pos,
    from,
    type,
    uuid: typeof uuid === "string" ? uuid : undefined,
    isMessage: type === "user" || type === "assistant",
    isMain: typeof body["parent_tool_use_id"] !== "string",
    rewoundTo: from === "keeper" ? (body["rewoundTo"] as string | null | undefined) : undefined,
  };
}

/**
 * Where a log is cut so that it ends with a message: behind it, and behind the end of its turn when
 * nothing else was said in that. Refuses a message that nobody said, or that a retry has cut off.
 */
async function findCutAfter(store: Store, session: string, at: string): Promise<number> {
  let said: string[] = [];
  let [cut, end] = [undefined as number | undefined, undefined as number | undefined];
  for await (const { pos, type, uuid, isMessage, rewoundTo } of readLogSteps(store, session)) {
    if (rewoundTo !== undefined) said = truncateAfter(said, rewoundTo);
    if (isMessage && uuid !== undefined) said.push(uuid);
    if (end !== undefined) continue;
    if (isMessage && uuid === at) cut = pos;
    else if (cut !== undefined && type === "result") end = pos;
    else if (cut !== undefined && isMessage) end = cut;
  }
  if (cut === undefined || !said.includes(at)) throw createNoSuchMessageRefusal();
  return end ?? cut;
}

function truncateAfter(said: readonly string[], last: string | null): string[] {
  return last === null ? [] : said.slice(0, said.lastIndexOf(last) + 1);
}

function createNoSuchMessageRefusal(): Refusal {
  const detail =
    "This message was not found in the conversation. Use the uuid of a message that no retry has cut off.";
  return new Refusal(422, "no-such-message", detail);
}

/** Where a fork begins, as it is asked for: behind a message, or before one of a person's. */
export interface ForkPoint {
  readonly at?: string | undefined;
  readonly before?: string | undefined;
}
/** The last place of the log that a fork keeps, and the message after which the agent goes on; null: none. */
export interface LogCut {
  readonly end: number;
  readonly lastMessage: string | null;
}

export async function findCut(
  store: Store,
  from: string,
  point: ForkPoint,
): Promise<LogCut | undefined> {
  const { at, before } = point;
  if (before !== undefined) return findCutBefore(store, from, before);
  return at === undefined
    ? undefined
    : { end: await findCutAfter(store, from, at), lastMessage: at };
}

/** Without a message and all that came after it: behind the last one of the conversation before it. */
async function findCutBefore(store: Store, session: string, before: string): Promise<LogCut> {
  let last: string | null = null;
  for await (const step of readLogSteps(store, session)) {
    const { pos, from, uuid, isMessage, isMain, rewoundTo } = step;
    if (rewoundTo !== undefined) last = rewoundTo;
    if (!isMessage) continue;
    if (uuid === before) return { end: pos - 1, lastMessage: last };
    if (from === "agent" && uuid !== undefined && isMain) last = uuid;
  }
  throw createNoSuchMessageRefusal();
}

/** Gives a forked session the log of the one it came from, up to a place in it, and says so at its end. */
export function copyLog(from: string, to: string, end: number): Change[] {
  return [
    { kind: "log-copied", from, to, end },
    { kind: "line", row: createForkMarkerRow(to, end + 1) },
  ];
}

/** Whatever was under way in the original is not under way in the copy. */
function createForkMarkerRow(session: string, pos: number): LineRow {
  const sentence = "This session was forked here. What follows is its own.";
  const note = { run: "fork", status: "parked", kind: "forked", sentence } as const;
  const text = formatLogMarker("run_ended", note);
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
