import { formatLogMarker } from "@signalbox/protocol";
import { HubRefusal } from "../refusal.ts";
import type { Change, LineRow, Store } from "../store/store.ts";
import { readLogSteps } from "./read-log.ts";

/**
 * Finds the position at which to cut a log so that it ends with a message: after the message, and after the
 * end of its turn if that turn holds nothing else. Refuses a message that is not in the log, or that a retry
 * has cut off.
 */
async function findCutAfter(store: Store, session: string, at: string): Promise<number> {
  let promptIds: string[] = [];
  let [cut, end] = [undefined as number | undefined, undefined as number | undefined];
  for await (const { pos, type, uuid, isMessage, rewoundTo } of readLogSteps(store, session)) {
    if (rewoundTo !== undefined) promptIds = truncateAfter(promptIds, rewoundTo);
    if (isMessage && uuid !== undefined) promptIds.push(uuid);
    if (end !== undefined) continue;
    if (isMessage && uuid === at) cut = pos;
    else if (cut !== undefined && type === "result") end = pos;
    else if (cut !== undefined && isMessage) end = cut;
  }
  if (cut === undefined || !promptIds.includes(at)) throw createNoSuchMessageRefusal();
  return end ?? cut;
}

function truncateAfter(promptIds: readonly string[], last: string | null): string[] {
  return last === null ? [] : promptIds.slice(0, promptIds.lastIndexOf(last) + 1);
}

function createNoSuchMessageRefusal(): HubRefusal {
  const detail =
    "This message was not found in the conversation. Use the uuid of a message that no retry has cut off.";
  return new HubRefusal(422, "no-such-message", detail);
}

/** Where a fork begins, as requested: after any message, or before a message of a person. */
export interface ForkPoint {
  readonly at?: string | undefined;
  readonly before?: string | undefined;
}
/**
 * The last log position that a fork keeps, and the message from which its agent resumes; null: it starts with
 * an empty conversation.
 */
interface LogCut {
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

/**
 * Cuts the log before a message, so that it ends with the last message of the conversation before that one.
 */
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

/** Copies a session's log up to a position into its fork, and ends the copy with a marker that says so. */
export function copyLog(from: string, to: string, end: number): Change[] {
  return [
    { kind: "log-copied", from, to, end },
    { kind: "line", row: createForkMarkerRow(to, end + 1) },
  ];
}

/**
 * The marker that ends a copied log. It closes whatever was under way in the original, because none of that
 * is under way in the copy.
 */
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
