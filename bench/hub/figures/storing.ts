import { Database } from "bun:sqlite";
import { join } from "node:path";
import { inGroups, init, message } from "../lines.ts";
import { figure, type Figure, HubRig } from "../rig.ts";

const GROUP = 500;
/** Lines of a round. All are measured in turns: a disk is not equally fast from one second to the next. */
const LINES = 40_000;
const ROUNDS = 3;

/** (e) Lines stored a second with synchronous=FULL, beside SQLite alone with the same batches. */
export async function storing(): Promise<Figure[]> {
  await using rig = await HubRig.open();
  const session = await rig.session();
  await rig.feeder.feed(session, [init()]);
  await rig.feeder.stored(session);
  using same = new Alone(join(rig.place, "same.sqlite"), session, true);
  using bare = new Alone(join(rig.place, "bare.sqlite"), session, false);
  const ways = {
    ours: async (groups: readonly string[][]) => {
      for (const group of groups) await rig.feeder.feed(session, group);
      await rig.feeder.stored(session);
    },
    same: (groups: readonly string[][]) => same.store(groups),
    bare: (groups: readonly string[][]) => bare.store(groups),
  };
  const spent = { ours: 0, same: 0, bare: 0 };
  // The first round is counted for none: a hub runs for days, its compilers work in its first seconds.
  for (let round = 0; round <= ROUNDS; round++) {
    const groups = runRound(round);
    for (const [name, store] of Object.entries(ways) as [keyof typeof ways, typeof ways.ours][]) {
      const start = performance.now();
      await store(groups);
      if (round > 0) spent[name] += (performance.now() - start) / 1000;
    }
  }
  const perSecond = (seconds: number) => (ROUNDS * LINES) / seconds;
  return [
    figure({
      figure: "e",
      what: "lines stored a second, with their items",
      unit: "lines per second",
      ours: perSecond(spent.ours),
      baseline: perSecond(spent.same),
      baselineIs:
        "SQLite alone, synchronous=FULL: the same rows (line, item, progress) in the same batches",
      bar: 0.4,
      better: "higher",
      more: {
        linesWithoutItemsAlone: Math.round(perSecond(spent.bare)),
        ratioToThose: Number((spent.bare / spent.ours).toFixed(3)),
      },
    }),
  ];
}

function runRound(round: number): string[][] {
  const words = "words of a message, as long as many of them are. ".repeat(6);
  const lines = Array.from({ length: LINES }, (_, nth) =>
    message(`msg_${round}_${nth}`, `${nth} ${words}`),
  );
  return [...inGroups(lines, GROUP)];
}

const tables = [
  "CREATE TABLE lines (session TEXT, pos INTEGER, seq INTEGER, run TEXT, source TEXT, at REAL, text TEXT, PRIMARY KEY (session, pos))",
  'CREATE TABLE items (session TEXT, id TEXT, "order" REAL, rev INTEGER, json TEXT, PRIMARY KEY (session, id))',
  'CREATE INDEX itemsByOrder ON items (session, "order")',
  "CREATE INDEX itemsByRev ON items (session, rev)",
  "CREATE TABLE progress (session TEXT PRIMARY KEY, seq INTEGER, summary TEXT, timeline TEXT)",
];

/** What SQLite does without us: the lines alone, or with the rows that the hub stores beside them. */
class Alone implements Disposable {
  readonly #database: Database;
  readonly #write: (group: readonly string[]) => void;

  constructor(file: string, session: string, withItems: boolean) {
    this.#database = new Database(file);
    this.#database.run("PRAGMA journal_mode = WAL");
    this.#database.run("PRAGMA synchronous = FULL");
    for (const table of tables) this.#database.run(table);
    const line = this.#database.prepare("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?)");
    const item = this.#database.prepare("INSERT INTO items VALUES (?, ?, ?, ?, ?)");
    const progress = this.#database.prepare("INSERT OR REPLACE INTO progress VALUES (?, ?, ?, ?)");
    const state = "x".repeat(5000);
    let pos = 0;
    this.#write = this.#database.transaction((group: readonly string[]) => {
      for (const text of group) {
        line.run(session, ++pos, pos, session, "agent", Date.now(), text);
        if (withItems) item.run(session, `msg_${pos}/0`, pos, pos, text);
      }
      if (withItems) progress.run(session, pos, state, state);
    });
  }

  store(groups: readonly string[][]): Promise<void> {
    for (const group of groups) this.#write(group);
    return Promise.resolve();
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
