import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { CHUNK, type FrameToHubOfType } from "@signalbox/api/link";
import { Bench, desk, OWN } from "../session/bench.ts";
import { FakeRunner, note, until } from "../session/fake-runner.ts";
import { result, said } from "../session/speech.ts";

setDefaultTimeout(180_000);

test("[HB10] lines that the hub already has are dropped and acknowledged; a gap closes the link, and nothing after it is stored", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const run = runner.runs.get(id)?.run ?? "";
  const lines = Array.from({ length: 10 }, (_, nth) => said(`m${nth}`, `text ${nth}`));
  runner.say(id, ...lines);
  await bench.stored(runner, id);
  const acks = runner.of("ack").length;
  runner.sayFrom(id, run, 2, ...lines);
  await until(() => runner.of("ack").length > acks);
  expect(runner.acked(id)).toBe(11);
  runner.sayFrom(id, run, 9, ...lines.slice(7), said("m10", "text 10")); // half of it is new
  await until(() => runner.acked(id) === 12);

  runner.sayFrom(id, run, 14, result());
  await until(() => runner.closed !== undefined);
  expect(runner.closed).toEqual({ code: 4409, reason: "a line is missing" });
  const again = new FakeRunner(bench.engine, OWN);
  await again.hello(runner);
  expect(again.of("welcome")[0]?.stored).toEqual({ [id]: 12 });
  again.sayFrom(id, run, 13, said("m11", "text 11"), result());
  await until(() => again.acked(id) === 14);
  const seqs = (await bench.engine.history.listLines(id, { after: 0, limit: 100 })).map(
    ({ seq }) => seq,
  );
  expect(seqs).toEqual(Array.from({ length: 14 }, (_, nth) => nth + 1));
});

test("[HB11] the newest connection of a runner counts, and the end of an older one has no effect", async () => {
  await using bench = await Bench.open();
  const old = await bench.runner();
  const id = await bench.running(old);
  const now = await bench.runner(old);
  expect(old.closed?.code).toBe(4409);
  old.leave();
  old.say(id, said("m", "from the grave"));
  expect(bench.engine.sessions.get(id).state).toBe("running");
  expect(bench.engine.runners.list()).toMatchObject([{ id: OWN, online: true, runs: 1 }]);
  now.say(id, said("m", "alive"), result());
  await bench.stored(now, id);
  expect(bench.engine.sessions.get(id).state).toBe("running");
  const items = await bench.engine.history.listItems(id, undefined, 100);
  expect(JSON.stringify(items)).not.toContain("grave");
  now.leave();
  expect(bench.engine.sessions.get(id).state).toBe("unreachable");
  expect(bench.engine.runners.list()).toMatchObject([{ id: OWN, online: false }]);
  bench.engine.runners.removeRunner(OWN); // its device was taken away
  expect(bench.engine.runners.list()).toEqual([]);
});

test("[HB12] a runner can report only about its own sessions", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const run = runner.runs.get(id)?.run ?? "";
  runner.ask(id, "a");
  const ask = await bench.ask(id);
  await bench.stored(runner, id);

  const other = await bench.runner(undefined, crypto.randomUUID());
  other.sayFrom(id, run, 4, said("m", "not mine"));
  other.sayFrom(id, run, 4, note("ask_closed", { requestId: "a", how: "withdrawn" }));
  await until(() => other.acked(id) === 4); // so that it forgets them
  runner.carryOut = () => undefined; // the answer is on its way for ever
  await bench.engine.asks.answer(ask.id, { hash: ask.hash, decision: { behavior: "deny" } }, desk);
  other.frame({ type: "done", id: ask.id });
  other.sayFrom(id, run, 5, said("m", "not mine either"));
  await until(() => other.acked(id) === 5);
  expect(await bench.store.orders(OWN)).toHaveLength(1);
  expect(await bench.engine.history.listLines(id, { after: 0, limit: 10 })).toHaveLength(2);

  const liar = new FakeRunner(bench.engine, crypto.randomUUID());
  const facts = { runner: OWN, machine: "liar", process: "p", generation: 1, runs: [] };
  liar.frame({ type: "hello", version: 1, ...facts });
  await until(() => liar.closed !== undefined);
  expect(liar.of("welcome")).toEqual([]);
  expect(bench.engine.sessions.get(id).state).toBe("running");
  const early = new FakeRunner(bench.engine, OWN);
  early.sayFrom(id, run, 3, said("m", "before hello"));
  await until(() => early.acked(id) === 3);
  expect(await bench.engine.history.listLines(id, { after: 0, limit: 10 })).toHaveLength(2);
});

test("[HB13] lines of a deleted session are not stored, and its run is ended", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const away = await bench.running(runner);
  await bench.engine.sessions.delete(id, desk);
  expect(runner.orders("stop").map(({ session }) => session)).toEqual([id]);
  runner.sayFrom(id, "r", 7, said("m", "late"));
  await until(() => runner.acked(id) === 7);

  runner.leave();
  await bench.engine.sessions.delete(away, desk); // its runner is not there to be told
  expect(bench.engine.sessions.list()).toEqual([]);
  const back = await bench.runner(runner);
  await until(() => back.orders("stop").length === 1);
  expect(back.orders("stop")[0]?.session).toBe(away);
  expect(back.of("welcome")[0]?.stored[away]).toBeGreaterThan(1e9);
  expect(await bench.store.linesAfter(away, 0, 10)).toEqual([]);
});

test("[HB14] a run that is started while its runner connects is not taken for lost", async () => {
  await using bench = await Bench.open();
  const { id } = await bench.create();
  await bench.engine.history.listItems(id, undefined, 1); // it is at hand: nothing is waited for
  const runner = new FakeRunner(bench.engine, OWN);
  const welcomed = runner.hello();
  // Connecting takes microtasks only; a later task would come after the welcome, which is too late here.
  for (let turn = 0; !bench.engine.runners.isConnected(OWN); turn++) {
    if (turn === 10_000) throw new Error("the runner is not connected after 10,000 microtasks");
    await Promise.resolve();
  }
  const woken = bench.engine.sessions.wake(id, desk);
  await welcomed;
  await woken;
  await bench.send(id, "hello");
  await until(() => runner.orders("prompt").length === 1);
  await bench.stored(runner, id);
  expect(runner.orders("start")).toHaveLength(1);
  expect(bench.engine.sessions.get(id).state).toBe("running");
  const lines = await bench.engine.history.listLines(id, { after: 0, limit: 10 });
  expect(JSON.stringify(lines)).not.toContain("runner-lost");
});

test("[HB15] a link of another version is refused with a sentence, and unknown frames are ignored", async () => {
  await using bench = await Bench.open();
  const facts = { runner: OWN, machine: "m", process: "p", generation: 1, runs: [] };
  for (const version of [3, -1]) {
    const runner = new FakeRunner(bench.engine, OWN);
    runner.frame({ type: "hello", version, ...facts });
    await until(() => runner.closed !== undefined);
    expect(runner.of("refused")[0]?.detail).toContain("Update the older of the two");
  }
  const runner = await bench.runner();
  runner.frame({ type: "news", of: "the future" } as never);
  const id = await bench.running(runner);
  expect(bench.engine.sessions.get(id).state).toBe("running");
});

/** A long line as the runner sends it. */
function chunks(text: string, original?: Uint8Array) {
  const count = Math.max(1, Math.ceil(text.length / CHUNK));
  const part = original ? Math.ceil(original.length / count / 3) * 3 : 0;
  return Array.from({ length: count }, (_, nth) => {
    const bytes = original?.subarray(nth * part, (nth + 1) * part);
    const flaws = bytes ? { flaws: { original: Buffer.from(bytes).toString("base64") } } : {};
    return { last: nth === count - 1, text: text.slice(nth * CHUNK, (nth + 1) * CHUNK), ...flaws };
  });
}

test("[HB16] a long line is stored whole and shown as a stub, and the session continues", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const at = runner.runs.get(id) ?? { run: "", seq: 0 };
  const sizes = [1, 10, 65].map((mega) => mega * 1024 * 1024);
  for (const size of sizes) {
    const seq = ++at.seq;
    const text = JSON.stringify({ type: "later", size, filler: "" }).replace(
      '""',
      `"${"z".repeat(size)}"`,
    );
    for (const { text: piece, last } of chunks(text)) {
      const facts = { session: id, run: at.run, seq, from: "agent", at: 1, last } as const;
      runner.frame({ type: "chunk", ...facts } satisfies FrameToHubOfType<"chunk">, [piece]);
    }
  }
  runner.say(id, said("m", "after all that"), result());
  await bench.stored(runner, id);
  const lines = await bench.engine.history.listLines(id, { after: 0, limit: 10 });
  expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  for (const [nth, size] of sizes.entries()) {
    const line = lines[nth + 1];
    expect(line?.text).toBeUndefined();
    const bytes = await bench.store.blob(line?.blob ?? "");
    const whole = new TextDecoder().decode(bytes);
    expect(whole.length).toBeGreaterThan(size);
    expect(whole.startsWith(`{"type":"later","size":${size},`)).toBe(true);
    expect(whole.endsWith('z"}')).toBe(true);
  }
  const items = await bench.engine.history.listItems(id, undefined, 100);
  expect(items.some((item) => item.kind === "text" && item.text === "after all that")).toBe(true);
  for (const item of items) expect(JSON.stringify(item).length).toBeLessThan(40_000);
});

test("[HB16] a very long line whose connection breaks is stored once, from its beginning, without the incomplete part", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const text = `${"a".repeat(10 * 1024 * 1024)}z`;
  runner.sayLong(id, text, 18);
  await until(() => runner.of("taken").some(({ pieces }) => pieces === 18));
  expect(piecesIn(bench)).toBeGreaterThan(0);
  runner.leave();
  await until(() => piecesIn(bench) === 0);

  const back = await bench.runner(runner);
  back.sayLong(id, text);
  await bench.stored(back, id);
  const at = back.runs.get(id) ?? { seq: 0, run: "" };
  at.seq -= 1;
  back.sayLong(id, text); // it had not heard of it
  back.say(id, said("m", "after it"));
  await bench.stored(back, id);
  const lines = await bench.engine.history.listLines(id, { after: 0, limit: 10 });
  expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  const stored = await bench.store.blob(lines[1]?.blob ?? "");
  expect(new TextDecoder().decode(stored) === text).toBe(true);
  expect(piecesIn(bench)).toBe(Math.ceil(text.length / CHUNK));
});

function piecesIn(bench: Bench): number {
  using db = new Database(join(bench.data, "signalbox.sqlite"), { readonly: true });
  return (db.query("SELECT count(*) AS n FROM pieces").get() as { n: number }).n;
}

test("[HB17] unusual keys, huge numbers and JSON of any depth are stored unchanged and have no effect", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const evil = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
  const input = `{"n":123456789012345678901234567890,"big":1e999,"zero":-0,"toString":1,${evil}}`;
  const block = (content: string) => `{"role":"assistant","id":"__proto__","content":[${content}]}`;
  const odd = [
    `{"type":"status",${evil},"hasOwnProperty":2}`,
    `{"type":"__proto__","subtype":"constructor"}`,
    `{"type":"assistant","uuid":"__proto__",${evil},"message":${block(`{"type":"text","text":"hi",${evil}}`)}}`,
    `{"type":"assistant","message":${block(`{"type":"tool_use","id":"constructor","name":"__proto__","input":${input}}`)}}`,
    ...[1000, 100_000, 5_000_000].map(
      (n) => `{"type":"x","deep":${"[".repeat(n)}${"]".repeat(n)}}`,
    ),
  ];
  for (const line of odd.slice(0, -1)) runner.say(id, line);
  runner.sayLong(id, odd.at(-1) ?? "");
  runner.say(id, said("after", "still here"), result());
  await bench.stored(runner, id);
  const stored = await bench.engine.history.listLines(id, { after: 0, limit: 20 });
  const texts = stored.slice(1, -2).map(async ({ text, blob }) => {
    return text ?? new TextDecoder().decode(await bench.store.blob(blob ?? ""));
  });
  const same = (await Promise.all(texts)).map((text, nth) => text === odd[nth]);
  expect(same).toEqual(odd.map(() => true));
  expect("polluted" in {}).toBe(false);
  const items = await bench.engine.history.listItems(id, undefined, 100);
  expect(items.some((item) => item.kind === "text" && item.text === "still here")).toBe(true);
  await bench.closeHub();
  await bench.openHub();
  expect(await bench.engine.history.listItems(id, undefined, 100)).toEqual(items);
});

test("[HB17] bytes that are not UTF-8 are stored unchanged, also those of a long line", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const at = runner.runs.get(id) ?? { run: "", seq: 0 };
  const bytes = Uint8Array.from({ length: 128 }, (_, nth) => 128 + nth);
  const text = new TextDecoder().decode(bytes);
  const original = Buffer.from(bytes).toString("base64");
  const facts = { type: "lines", session: id, run: at.run, first: ++at.seq } as const;
  const flaws = { "0": { original, droppedBytes: 5 } };
  runner.frame({ ...facts, from: ["agent"], at: [1], flaws }, [text]);
  const long = new Uint8Array(2 * 1024 * 1024).fill(0xff);
  const seq = ++at.seq;
  for (const { text: piece, ...rest } of chunks("\ufffd".repeat(long.length), long)) {
    const chunk = { session: id, run: at.run, seq, from: "agent", at: 1, ...rest } as const;
    runner.frame({ type: "chunk", ...chunk }, [piece]);
  }
  await bench.stored(runner, id);
  const [, short, longer] = await bench.store.linesAfter(id, 0, 10);
  expect(short?.original).toEqual(bytes);
  expect(short?.droppedBytes).toBe(5);
  const shown = await bench.engine.history.listLines(id, { after: 0, limit: 10 });
  expect(shown[1]?.flaws).toEqual({ droppedBytes: 5, original: expect.any(String) as unknown });
  for (const [at, whole] of [bytes, long].entries()) {
    const kept = await bench.store.blob(String(shown[at + 1]?.flaws?.["original"]));
    expect(Buffer.from(kept ?? []).equals(Buffer.from(whole))).toBe(true);
  }
  expect(Buffer.from(longer?.original ?? []).equals(Buffer.from(long))).toBe(true);
  expect((await bench.engine.history.listItems(id, undefined, 10)).length).toBeGreaterThan(1);
});
