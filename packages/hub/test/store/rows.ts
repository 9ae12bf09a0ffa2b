import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Change, ItemRow, LineRow, SessionRow } from "@signalbox/hub/store";

/** A folder for one test. */
export async function openFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "signalbox-store-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export function session(id: string, fields: Partial<SessionRow> = {}): Change {
  const row: SessionRow = {
    id,
    folder: "/work",
    title: "a title",
    named: false,
    agent: "claude",
    driver: "stdio",
    runner: "own",
    policy: "default",
    bypassUntil: null,
    pinned: false,
    archived: false,
    createdAt: 1000,
    options: { folder: "/work" },
    forkOf: null,
    conversation: null,
    state: "new",
    problem: null,
    run: null,
    colour: null,
    labels: [],
    snoozedUntil: null,
    trashedAt: null,
    ...fields,
  };
  return { kind: "session", row };
}

export function line(session: string, pos: number, fields: Partial<LineRow> = {}): Change {
  const row: LineRow = {
    session,
    pos,
    seq: pos,
    run: "run",
    from: "agent",
    at: 1000 + pos,
    text: `{"n":${pos}}`,
    droppedBytes: null,
    original: null,
    characters: null,
    textBlob: null,
    originalBlob: null,
    ...fields,
  };
  return { kind: "line", row };
}

export function item(session: string, order: number, fields: Partial<ItemRow> = {}): Change {
  const id = `item-${order}`;
  const row: ItemRow = { session, id, order, rev: order, json: `{"id":"${id}"}`, ...fields };
  return { kind: "item", row };
}

export function audit(what: string, facts: Readonly<Record<string, unknown>> = {}): Change {
  return { kind: "audit", news: { at: 1000, what, by: "device", session: null, facts } };
}
