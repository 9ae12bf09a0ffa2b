import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Item } from "@signalbox/timeline";
import { Viewer } from "../fan-out/viewer.ts";
import { Bench } from "./bench.ts";
import { type FakeRunner, note, until } from "./fake-runner.ts";
import { begin, delta, init, result, said } from "./speech.ts";

setDefaultTimeout(180_000);

const LONG = "line of a long text\n".repeat(5000);

/** A conversation with everything that is not a line of the log by itself. */
async function spoken(): Promise<{ bench: Bench; runner: FakeRunner; id: string; items: Item[] }> {
  const bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.send(id, "hello");
  await until(() => bench.engine.sessions.get(id).queue.length === 0);
  runner.say(id, init(), ...begin("m1"), delta("one "), delta("two"), said("m1", "one two"));
  runner.ask(id, "a");
  runner.say(id, note("ask_closed", { requestId: "a", how: "answered", behavior: "allow" }));
  runner.say(id, said("m2", LONG), "no json at all", result());
  runner.sayLong(id, "l".repeat(9 * 1024 * 1024));
  runner.say(id, ...begin("m3"), delta("cut off in the mid"));
  await bench.stored(runner, id); // the deltas, too
  runner.end(id, "crashed", "signal");
  await until(() => bench.engine.sessions.get(id).state === "crashed");
  return { bench, runner, id, items: await bench.engine.history.listItems(id, undefined, 1000) };
}

/** Revisions are of one edition, and the log does not say when a text began to be streamed. */
function shown({ rev, at, ...item }: Item): unknown {
  expect(rev).toBeGreaterThan(0);
  expect(at).toBeGreaterThan(0);
  return item;
}

function tamper(bench: Bench, sql: string): void {
  const name = readdirSync(bench.data).find((file) => /\.(db|sqlite)$/.test(file)) ?? "";
  using database = new Database(join(bench.data, name), { strict: true });
  database.run(sql);
}

test("[HB44] items and summaries that are missing, damaged or made by older rules are rebuilt from the log, equal", async () => {
  const { bench, id, items } = await spoken();
  await using _ = bench;
  const { summary } = bench.engine.sessions.get(id);
  expect(items.map(({ kind }) => kind)).toContain("ask");
  const viewer = new Viewer(id).connect(bench.engine);
  await until(() => viewer.live);
  const faults = [
    "DELETE FROM items",
    `DELETE FROM items WHERE "order" = 2`,
    "UPDATE checkpoints SET state = '{broken'",
    "UPDATE checkpoints SET state = 'null'",
    "UPDATE checkpoints SET state = json_set(state, '$.by', 0); UPDATE heads SET summary = '{}'",
    "UPDATE checkpoints SET number = number + 1",
    `UPDATE heads SET changes = '{"keep":1,"add":[]}'`,
    "DELETE FROM checkpoints",
    "DELETE FROM heads",
  ];
  for (const sql of faults) {
    await bench.closeHub();
    tamper(bench, sql);
    await bench.openHub();
    const again = await bench.engine.history.listItems(id, undefined, 1000);
    expect({ sql, items: again.map(shown) }).toEqual({ sql, items: items.map(shown) });
    expect(bench.engine.sessions.get(id).summary).toEqual(summary);
  }
  const before = viewer.resets;
  viewer.connect(bench.engine); // what it has is of another edition
  await until(() => viewer.live);
  expect(viewer.resets).toBe(before + 1);
  expect(viewer.list.map(shown)).toEqual(items.map(shown));
});

test("[HB44] after a rebuild the session continues: the next line has the next position", async () => {
  const { bench, id } = await spoken();
  await using _ = bench;
  await bench.closeHub();
  tamper(bench, "DELETE FROM heads");
  await bench.openHub();
  const runner = await bench.runner();
  await bench.send(id, "again");
  await until(() => bench.engine.sessions.get(id).queue.length === 0);
  runner.say(id, said("m9", "back"), result());
  await bench.stored(runner, id);
  const places = (await bench.engine.history.listLines(id, { after: 0, limit: 100 })).map(
    ({ pos }) => pos,
  );
  expect(places).toEqual(places.map((__, at) => at + 1));
});

test("[HB44] messages that the agent prints again after a restart of the hub are shown once", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const lines = [init(), ...Array.from({ length: 200 }, (_, n) => said(`m${n}`, "word")), result()];
  const texts = async () => {
    const items = await bench.engine.history.listItems(id, undefined, 1000);
    return items.filter(({ kind }) => kind === "text").length;
  };
  runner.say(id, ...lines);
  await bench.stored(runner, id);
  expect(await texts()).toBe(200);
  expect(await bench.store.idPages(id)).not.toEqual([]);
  await bench.closeHub();
  await bench.openHub();
  const again = await bench.runner();
  await bench.send(id, "go on");
  await until(() => bench.engine.sessions.get(id).queue.length === 0);
  again.say(id, ...lines);
  await bench.stored(again, id);
  expect(await texts()).toBe(200);
});

test("[HB45] the text that a run was writing when it ended is in the log, so that the log alone is complete", async () => {
  const { bench, id, items } = await spoken();
  await using _ = bench;
  const texts = items.flatMap((item) => (item.kind === "text" ? [item.text] : []));
  expect(texts.at(-1)).toBe("cut off in the mid");
  const lines = await bench.engine.history.listLines(id, { after: 0, limit: 100 });
  expect(lines.some(({ text }) => text?.includes("text_kept"))).toBe(true);
  expect(lines.some(({ text }) => text?.includes("stream_event"))).toBe(false);
});

test("[HB46] a body over 32 KiB is stored as a blob, which is equal to it, and the item keeps both ends", async () => {
  const { bench, items } = await spoken();
  await using _ = bench;
  const cut = items.flatMap((item) =>
    item.kind === "text" && typeof item.text !== "string" ? [item.text as unknown] : [],
  ) as { $blob: string; bytes: number; characters: number; head: string; tail: string }[];
  expect(cut).toHaveLength(1);
  const [body] = cut;
  expect(body).toMatchObject({ bytes: LONG.length, characters: LONG.length });
  expect(LONG.startsWith(body?.head ?? "no")).toBe(true);
  expect(LONG.endsWith(body?.tail ?? "no")).toBe(true);
  expect(new TextDecoder().decode(await bench.store.blob(body?.$blob ?? ""))).toBe(LONG);
});
