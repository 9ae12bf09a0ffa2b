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
  return [
    figure({
      figure: "e",
      what: "lines stored a second, with their items",
      unit: "lines per second",
      ours,
      baseline: alone(join(rig.place, "alone.sqlite"), session, groups),
      baselineIs: "SQLite alone, one row a line, synchronous=FULL, the same batches",
      bar: 0.4,
      better: "higher",
    }),
  ];
}

function alone(file: string, session: string, groups: readonly string[][]): number {
  using database = new Database(file);
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = FULL");
  database.run(
    "CREATE TABLE lines (session TEXT, pos INTEGER, seq INTEGER, run TEXT, source TEXT, at INTEGER, text TEXT, PRIMARY KEY (session, pos)) WITHOUT ROWID",
  );
  const insert = database.prepare("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?)");
  let pos = 0;
  const write = database.transaction((group: readonly string[]) => {
    for (const text of group) insert.run(session, ++pos, pos, session, "agent", Date.now(), text);
  });
  const start = performance.now();
  for (const group of groups) write(group);
  return pos / ((performance.now() - start) / 1000);
}
