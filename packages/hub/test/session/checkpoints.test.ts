import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openStore, type Store } from "@signalbox/hub/store";
import type { Item, TimelineState } from "@signalbox/timeline";
import { loadState } from "../../src/session/load-state.ts";
import { SessionIngest } from "../../src/session/session-ingest.ts";
import { createEmptyState } from "../../src/session/stored-state.ts";
import { openFolder, session } from "../store/rows.ts";
import { begin, delta, init, result, said } from "./speech.ts";

setDefaultTimeout(180_000);

const owner = {
  applyEvents: () => [],
  prepareRowChange: () => [],
  onStored: () => {},
  acknowledgeLines: () => {},
  getFence: () => undefined,
  onFailed: (failure: unknown) => {
    throw failure;
  },
};

/** Plays lines, each in a transaction of its own, and looks at what the store has after each. */
async function play(
  store: Store,
  lines: readonly { from: "agent" | "host"; line: string }[],
  look: (state: TimelineState, nth: number) => Promise<void>,
): Promise<void> {
  const ingest = new SessionIngest(store, "s", owner, createEmptyState());
  for (const [nth, { from, line }] of lines.entries()) {
    ingest.accept([{ seq: nth + 1, run: "r", from, at: 1000 + nth, line }]);
    await ingest.flush();
    await look(ingest.state, nth + 1);
  }
  ingest.close();
}

/** As a state is after it was stored: without the fields that are undefined. */
const plain = (state: TimelineState): unknown => JSON.parse(JSON.stringify(state));

test.each(["subagents-background", "thinking-and-streaming", "edit-write-read-notebook"])(
  "[LG30] a hub that is killed after any commit of %s continues with the same state, from a checkpoint and what has changed since",
  async (story) => {
    await using folder = await openFolder();
    await using store = await openStore(folder.path);
    await store.commit([session("s")]);
    const recorded = join(import.meta.dir, `../../../../fixtures/2.1.325/${story}.ndjson`);
    const lines = readFileSync(recorded, "utf8")
      .split("\n")
      .filter((row) => row.includes(`"line":{`))
      .map((row) => JSON.parse(row) as { from: "agent" | "host"; line: object })
      .map(({ from, line }) => ({ from, line: JSON.stringify(line) }));
    const checkpoints = new Set<number>();
    let headBytes = 0;
    let stateBytes = 0;
    let moved = 0;
    await play(store, lines, async (state, nth) => {
      const { head } = (await store.progress("s")) ?? {};
      if (!head) throw new Error("nothing is stored");
      const stored = await loadState(store, "s", () => undefined);
      expect(stored).toMatchObject({ seq: nth, edition: 0 });
      expect(plain(stored.state)).toEqual(plain(state));
      checkpoints.add(head.checkpoint);
      if (head.changes !== null) moved++;
      headBytes += head.changes?.length ?? 0;
      stateBytes += JSON.stringify(stored.checkpoint?.state).length;
    });
    expect(moved).toBeGreaterThan(lines.length / 2);
    expect(checkpoints.size).toBeGreaterThan(1);
    expect(headBytes).toBeLessThan(stateBytes / 2);
  },
);

test("[LG30] while a long text is written, a commit holds what was added and not the text again", async () => {
  await using folder = await openFolder();
  await using store = await openStore(folder.path);
  await store.commit([session("s")]);
  const part = "words ".repeat(20);
  const lines = [init(), ...begin("m"), ...Array.from({ length: 300 }, () => delta(part))];
  let changes = 0;
  let texts = 0;
  await play(
    store,
    lines.map((line) => ({ from: "agent", line })),
    async ({ reduce }) => {
      const head = await store.head("s");
      changes += head?.changes?.length ?? 0;
      texts += reduce.growing ? JSON.stringify(reduce.growing).length : 0;
    },
  );
  expect(texts).toBeGreaterThan(300 * 100 * part.length);
  expect(changes).toBeLessThan(texts / 5);
});

test("[LG30] items that are made again from the log alone are equal to those that were stored with heads and checkpoints", async () => {
  await using folder = await openFolder();
  await using store = await openStore(folder.path);
  await store.commit([session("s")]);
  const turns = Array.from({ length: 60 }, (_, nth) => [
    ...begin(`m${nth}`),
    delta("some "),
    delta("words"),
    said(`m${nth}`, "some words"),
    result(),
  ]);
  const lines = [init(), ...turns.flat()].map((line) => ({ from: "agent" as const, line }));
  await play(store, lines, async () => {});
  const read = async () => {
    const rows = await store.itemsBefore("s", undefined, 1000);
    return rows.map(({ json }) => {
      const { rev: _, at: __, ...item } = JSON.parse(json) as Item;
      return item;
    });
  };
  const before = await read();
  expect(before.length).toBeGreaterThan(60);
  const { head } = (await store.progress("s")) ?? {};
  if (!head) throw new Error("nothing is stored");
  await store.commit([{ kind: "head", row: { ...head, checkpoint: head.checkpoint + 1 } }]);
  const rebuilt = await loadState(store, "s", () => undefined);
  expect(rebuilt.edition).toBeGreaterThan(0);
  expect(await read()).toEqual(before);
  const again = await loadState(store, "s", () => undefined);
  expect(again.edition).toBe(rebuilt.edition);
  expect(plain(again.state)).toEqual(plain(rebuilt.state));
});
