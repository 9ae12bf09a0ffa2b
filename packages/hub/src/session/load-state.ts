import { advance, createTimeline, type Item, type TimelineState } from "@signalbox/timeline";
import type { Change, Fence, LineRow, Store } from "../store/store.ts";

import { serializeItem } from "./serialize-item.ts";
import { decodeLine } from "../link/decode-line.ts";
import { StateWriter } from "./state-writer.ts";
import { createEmptyState, restoreState, type StoredState } from "./stored-state.ts";

const LAST_LINES_PAGE = 20;
const PAGE = 2000;
const PAGE_BYTES = 4 * 1024 * 1024;

/** The fence of a session's runner, read at each commit. */
type GetFence = () => Fence | undefined;

/** Reads a session's stored state. If older rules made it, it is rebuilt from the log. */
export async function loadState(
  store: Store,
  session: string,
  getFence: GetFence,
): Promise<StoredState> {
  const progress = await store.progress(session);
  if (!progress) return rebuildFromLog(store, session, getFence);
  const { head, checkpoint } = progress;
  const { seq, pos } = head;
  const restored = restoreState(head, checkpoint, await store.idPages(session));
  if (restored?.current && (await hasAllItems(store, session, restored.current.state))) {
    return { ...restored.current, seq, pos, edition: restored.edition };
  }
  const edition = restored ? restored.edition + 1 : createEdition();
  return rebuildItems(store, session, getFence, { seq, pos, edition });
}

/**
 * Builds the state when nothing but the log is known. The last number is uncertain, because deltas are not
 * stored as lines.
 */
async function rebuildFromLog(
  store: Store,
  session: string,
  getFence: GetFence,
): Promise<StoredState> {
  const { seq, pos } = await findLastLine(store, session);
  if (pos === 0) return createEmptyState();
  const edition = createEdition();
  const rebuilt = await rebuildItems(store, session, getFence, { seq, pos, edition });
  return { ...rebuilt, isSeqUncertain: true };
}

/** An edition number that no client can have, for when the last one is not known. */
function createEdition(): number {
  return Date.now();
}

async function findLastLine(store: Store, session: string): Promise<{ seq: number; pos: number }> {
  let [last, before, pos] = [0, undefined as number | undefined, 0];
  for (;;) {
    const rows = await store.linesBefore(session, before, LAST_LINES_PAGE);
    const [oldest] = rows;
    if (!oldest) return { seq: last, pos };
    pos ||= rows.at(-1)?.pos ?? 0;
    last = rows.findLast(({ seq }) => seq !== null)?.seq ?? last;
    if (last > 0) return { seq: last, pos };
    before = oldest.pos;
  }
}

/** Whether all items that the state counts are in the store. */
async function hasAllItems(store: Store, session: string, state: TimelineState): Promise<boolean> {
  return (await store.countItems(session, 0)) >= state.reduce.nextOrder;
}

/** Makes all items from the log alone. */
export async function rebuildItems(
  store: Store,
  session: string,
  getFence: GetFence,
  known: { seq: number; pos: number; edition: number },
): Promise<StoredState> {
  let state = createTimeline();
  let after = 0;
  let first = true;
  for (;;) {
    const rows = await store.linesAfter(session, after, PAGE, PAGE_BYTES);
    const changed = new Map<string, Item>();
    for (const row of rows) {
      const step = advance(state, { from: row.from, at: row.at, line: decodeRow(row) });
      state = step.state;
      for (const item of step.changed) changed.set(item.id, item);
      after = row.pos;
    }
    const changes: Change[] = first ? [{ kind: "items-cleared", session }] : [];
    first = false;
    for (const item of changed.values()) {
      const { id, order, rev } = item;
      const { json, blobs } = serializeItem(session, item);
      changes.push(...blobs, { kind: "item", row: { session, id, order, rev, json } });
    }
    if (rows.length > 0) {
      await store.commit(changes, getFence());
      continue;
    }
    const writer = new StateWriter(session, { edition: known.edition });
    await store.commit([...changes, ...writer.write(state, known)], getFence());
    const { checkpoint } = writer;
    return { ...known, state, ...(checkpoint && { checkpoint }) };
  }
}

function decodeRow({ text, droppedBytes, original, characters }: LineRow) {
  if (droppedBytes === null && original === null) return decodeLine(text, characters);
  const flaws = {
    ...(droppedBytes !== null && { droppedBytes }),
    ...(original !== null && { original }),
  };
  return decodeLine({ text, flaws }, characters);
}
