import { Database } from "bun:sqlite";
import { join } from "node:path";
import { inGroups, init, message } from "../lines.ts";
import { figure, type Figure, HubRig } from "../rig.ts";

const LINES = 60_000;
const GROUP = 500;

/** (e) Lines stored a second with synchronous=FULL, beside SQLite alone with the same batches. */
export async function storing(): Promise<Figure[]> {
  await using rig = await HubRig.open();
  const session = await rig.session();
  await rig.feeder.feed(session, [init()]);
  const words = "words of a message, as long as many of them are. ".repeat(6);
  const lines = Array.from({ length: LINES }, (_, n) => message(`msg_${n}`, `${n} ${words}`));
  const groups = [...inGroups(lines, GROUP)];
  await rig.feeder.stored(session);
  const start = performance.now();
  for (const group of groups) await rig.feeder.feed(session, group);
  await rig.feeder.stored(session);
  const ours = LINES / ((performance.now() - start) / 1000);
  const same = alone(join(rig.place, "same.sqlite"), session, groups, true);
  const bare = alone(join(rig.place, "bare.sqlite"), session, groups, false);
  return [
    figure({
      figure: "e",
      what: "lines stored a second, with their items",
      unit: "lines per second",
      ours,
      baseline: same,
      baselineIs:
        "SQLite alone, synchronous=FULL: the same rows (line, item, progress) in the same batches",
      bar: 0.4,
      better: "higher",
      more: {
        linesWithoutItemsAlone: Math.round(bare),
        ratioToThose: Number((ours / bare).toFixed(3)),
      },
    }),
  ];
}

const tables = [
  "CREATE TABLE lines (session TEXT, pos INTEGER, seq INTEGER, run TEXT, source TEXT, at REAL, text TEXT, PRIMARY KEY (session, pos))",
  'CREATE TABLE items (session TEXT, id TEXT, "order" REAL, rev INTEGER, json TEXT, PRIMARY KEY (session, id))',
  'CREATE INDEX itemsByOrder ON items (session, "order")',
  "CREATE INDEX itemsByRev ON items (session, rev)",
  "CREATE TABLE progress (session TEXT PRIMARY KEY, seq INTEGER, summary TEXT, timeline TEXT)",
];

/** What SQLite does without us: the lines alone, or with the rows that the hub stores beside them. */
function alone(
  file: string,
  session: string,
  groups: readonly string[][],
  withItems: boolean,
): number {
  using database = new Database(file);
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = FULL");
  for (const table of tables) database.run(table);
  const line = database.prepare("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?)");
  const item = database.prepare("INSERT INTO items VALUES (?, ?, ?, ?, ?)");
  const progress = database.prepare("INSERT OR REPLACE INTO progress VALUES (?, ?, ?, ?)");
  const state = "x".repeat(5000);
  let pos = 0;
  const write = database.transaction((group: readonly string[]) => {
    for (const text of group) {
      line.run(session, ++pos, pos, session, "agent", Date.now(), text);
      if (withItems) item.run(session, `msg_${pos}/0`, pos, pos, text);
    }
    if (withItems) progress.run(session, pos, state, state);
  });
  const start = performance.now();
  for (const group of groups) write(group);
  return pos / ((performance.now() - start) / 1000);
}
