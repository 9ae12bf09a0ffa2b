import { canonicalJson } from "@signalbox/api/proof";
import type { Change } from "./store.ts";
import { type Table, tables } from "./tables.ts";

/**
 * The format in which changes are sent to the writer: one flat list of plain values, because Bun
 * passes such a list to another thread in half the time of nested lists and a third of that of
 * objects. A change is the number of its kind followed by its values; END closes what is written
 * together.
 */
export type Cell = string | number | bigint | boolean | null | Uint8Array;
export const END = -1;

/** The number of values of each kind. */
const widths = {
  session: tables.session.columns.length,
  "session-deleted": 1,
  head: tables.head.columns.length,
  checkpoint: tables.checkpoint.columns.length,
  memory: tables.memory.columns.length,
  line: tables.line.columns.length,
  "log-copied": 3,
  item: tables.item.columns.length,
  "items-cleared": 1,
  run: tables.run.columns.length,
  ask: tables.ask.columns.length,
  "ask-closed": tables.ask.columns.length,
  prompt: tables.prompt.columns.length,
  "prompt-gone": 1,
  draft: tables.draft.columns.length,
  transcript: tables.transcript.columns.length,
  order: tables.order.columns.length,
  "order-done": 1,
  receipt: tables.receipt.columns.length,
  device: tables.device.columns.length,
  "device-gone": 1,
  audit: 5,
  blob: 3,
  piece: 3,
  "pieces-gone": 1,
  "blob-of-pieces": 4,
  setting: 2,
  "setting-added": 2,
  "setting-gone": 1,
} satisfies Record<Change["kind"], number>;

export const kinds = Object.keys(widths) as readonly Change["kind"][];
const kindNumbers = Object.fromEntries(kinds.map((kind, at) => [kind, at])) as Record<
  Change["kind"],
  number
>;

/**
 * Whether a kind, by its number, deletes something that must not remain anywhere, not in the
 * write-ahead log either.
 */
export function isDeletion(kind: number): boolean {
  return kinds[kind] === "session-deleted" || kinds[kind] === "setting-gone";
}

/** Returns the position after the commit that begins at `from`. */
export function findEnd(cells: readonly Cell[], from: number): number {
  let at = from;
  while (cells[at] !== END) at += 1 + getWidth(cells, at);
  return at + 1;
}

export function getWidth(cells: readonly Cell[], at: number): number {
  const width = widths[kinds[cells[at] as number] ?? ("none" as Change["kind"])];
  if (width === undefined) throw new Error(`no kind of change has the number ${String(cells[at])}`);
  return width;
}

export function pushChange(cells: Cell[], change: Change): void {
  const number = kindNumbers[change.kind];
  switch (change.kind) {
    case "session":
    case "head":
    case "checkpoint":
    case "memory":
    case "line":
    case "item":
    case "run":
    case "ask":
    case "prompt":
    case "draft":
    case "transcript":
    case "order":
    case "receipt":
    case "device":
      cells.push(number);
      pushRow(cells, tables[change.kind], change.row);
      return;
    case "ask-closed":
      cells.push(number);
      pushRow(cells, tables.ask, change.row);
      return;
    case "session-deleted":
    case "prompt-gone":
    case "order-done":
    case "device-gone":
      cells.push(number, change.id);
      return;
    case "items-cleared":
      cells.push(number, change.session);
      return;
    case "audit": {
      const { at, what, by, session, facts } = change.news;
      cells.push(number, at, what, by, session, canonicalJson(facts));
      return;
    }
    case "blob":
      cells.push(number, change.session, change.hash, change.bytes);
      return;
    case "log-copied":
      cells.push(number, change.from, change.to, change.end);
      return;
    case "piece":
      cells.push(number, change.of, change.start, change.bytes);
      return;
    case "pieces-gone":
      cells.push(number, change.of);
      return;
    case "blob-of-pieces":
      cells.push(number, change.session, change.hash, change.of, change.size);
      return;
    case "setting":
    case "setting-added":
      cells.push(number, change.key, change.value);
      return;
    case "setting-gone":
      cells.push(number, change.key);
      return;
    default:
      change satisfies never;
  }
}

function pushRow(cells: Cell[], table: Table, row: object): void {
  const values = row as Readonly<Record<string, unknown>>;
  for (const name of table.columns) {
    const value = values[name];
    cells.push(table.json?.includes(name) ? JSON.stringify(value) : ((value ?? null) as Cell));
  }
}
