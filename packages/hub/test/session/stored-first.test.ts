import { expect, setDefaultTimeout, test } from "bun:test";
import type { HubFrame } from "@signalbox/api";
import { Viewer } from "../fan-out/viewer.ts";
import { Bench, desk, refusal } from "./bench.ts";
import { FakeRunner, until } from "./fake-runner.ts";
import { begin, delta, result, said } from "./speech.ts";

setDefaultTimeout(180_000);

/** Text of this session is told before it is stored, together with that of all others. */
interface Marker {
  readonly session: string;
  readonly viewer: Viewer;
  words: number;
}

/**
 * What anybody outside could have heard by now. The board and live text are held together for a while:
 * news of both that waits for no store is told last, so all that came before it has been told, too.
 */
async function heard(
  bench: Bench,
  runner: FakeRunner,
  board: HubFrame[],
  viewer: Viewer,
  marker: Marker,
) {
  const other = await new FakeRunner(bench.engine, crypto.randomUUID()).hello();
  const isTold = () => {
    const last = board.findLast((frame) => frame.type === "board");
    return last?.type === "board" && JSON.stringify(last.runners ?? []).includes(other.id);
  };
  await until("the board tells of another runner", isTold);
  const word = `word-${marker.words++}`;
  runner.say(marker.session, delta(word));
  await until("live text is told", () => JSON.stringify(marker.viewer.list).includes(word));
  const items = viewer.frames.filter(({ type }) => type === "items").length;
  const isOther = ({ id }: { id: string }) => id !== marker.session;
  const told = board.map((frame) =>
    frame.type === "board" ? frame.sessions.filter(isOther).length : 0,
  );
  return {
    acks: runner.of("ack").filter(({ session }) => session !== marker.session).length,
    orders: runner.of("order").length,
    items,
    board: told.filter((count) => count > 0).length,
    asks: bench.engine.asks.list().length,
    views: JSON.stringify(bench.engine.sessions.list().filter(isOther)),
  };
}

test("[HB1] nobody is told of anything that is not stored: no frame, no acknowledgement, no ask, no order, no answer", async () => {
  await using bench = await Bench.open();
  const { engine, gate } = bench;
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const viewer = new Viewer(id).connect(engine);
  const board: HubFrame[] = [];
  engine.clients.connect((text) => board.push(JSON.parse(text) as HubFrame)).watchBoard();
  const session = await bench.running(runner);
  const marker = { session, words: 0, viewer: new Viewer(session).connect(engine) };
  runner.say(session, ...begin("marker"));
  await until(() => viewer.live && marker.viewer.live && board.length > 0);
  await bench.stored(runner, id);
  await bench.stored(runner, session);
  await until(() => gate.inFlight === 0);
  const before = await heard(bench, runner, board, viewer, marker);

  gate.hold();
  runner.say(id, said("m1", "hello"), result());
  runner.ask(id, "a");
  const commands = [
    bench.create({ title: "another" }),
    bench.send(id, "a message"),
    engine.sessions.change(id, { title: "renamed", pinned: true }, desk),
    engine.sessions.change(id, { policy: "plan" }, desk),
  ];
  let finished = 0;
  const done = commands.map((command) => command.then(() => finished++));
  expect(await heard(bench, runner, board, viewer, marker)).toEqual(before);
  expect(finished).toBe(0);

  gate.release();
  await Promise.all(done);
  const ask = await bench.ask(id);
  await until(() => viewer.list.some((item) => item.kind === "text" && item.text === "hello"));
  await until(() => engine.sessions.get(id).queue.length === 0);
  await until(() => JSON.stringify(board).includes("renamed"));
  await bench.stored(runner, id);
  await until(() => gate.inFlight === 0);

  gate.hold();
  const asked = await heard(bench, runner, board, viewer, marker);
  const hash = ask.hash;
  const answer = engine.asks.answer(ask.id, { hash, decision: { behavior: "deny" } }, desk);
  const deleted = bench.send(id, "more").then(() => "sent");
  expect(await heard(bench, runner, board, viewer, marker)).toEqual(asked);
  gate.release();
  expect((await answer).status).toBe("answered");
  expect(await deleted).toBe("sent");
});

test("[HB1] a waiting message is shown as sent or withdrawn once that is stored", async () => {
  await using bench = await Bench.open();
  const { engine, gate } = bench;
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.send(id, "first");
  runner.say(id, ...begin("m1"));
  await bench.stored(runner, id);
  const second = await bench.send(id, "second");
  const third = await bench.send(id, "third");
  const queue = () => engine.sessions.get(id).queue.map(({ text, status }) => `${text}: ${status}`);
  const waiting = ["second: waiting", "third: waiting"];
  expect(queue()).toEqual(waiting);

  gate.hold();
  const withdrawn = engine.prompts.withdraw(id, third.id);
  expect(queue()).toEqual(waiting);
  gate.release();
  await withdrawn;
  expect(queue()).toEqual(["second: waiting"]);

  runner.carryOut = () => undefined;
  runner.say(id, said("m1", "hi"), result());
  await until(() => engine.sessions.get(id).queue[0]?.status === "sent");
  await until(() => runner.orders("prompt").length === 2);
  const row = (await bench.store.prompts()).find((prompt) => prompt.id === second.id);
  expect(row?.sentTo).toBe(runner.runs.get(id)?.run ?? "");
});

test("[HB2] only live text is shown before it is stored, and the stored text replaces it", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const viewer = new Viewer(id).connect(bench.engine);
  await until(() => viewer.live);
  runner.say(id, ...begin("m1"), delta("one "));
  await until(() => viewer.list.some((item) => item.kind === "text"));
  await bench.stored(runner, id);
  const acks = runner.acked(id);
  bench.gate.hold();
  runner.say(id, delta("two "), delta("three "));
  const text = () => viewer.list.flatMap((item) => (item.kind === "text" ? [item] : []));
  await until(() => text()[0]?.text === "one two three ");
  expect(runner.acked(id)).toBe(acks);
  expect(text()[0]?.live).toBe(true);
  bench.gate.release();
  runner.say(id, said("m1", "one two three four"), result());
  await until(() => text()[0]?.live === false);
  expect(text().map((item) => item.text)).toEqual(["one two three four"]);
});

test("[HB3] while the store cannot be written the board shows the reason, and afterwards everything continues without a gap", async () => {
  await using bench = await Bench.open();
  const { engine, gate } = bench;
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const board: HubFrame[] = [];
  engine.clients.connect((text) => board.push(JSON.parse(text) as HubFrame)).watchBoard();
  const trouble = () => board.flatMap((frame) => (frame.type === "board" ? [frame.trouble] : []));
  await until(() => trouble().length > 0);
  expect(trouble().at(-1)).toBe(null);
  await bench.stored(runner, id);
  const acked = runner.acked(id);

  gate.trouble = "The disk is full.";
  await until(() => trouble().includes("The disk is full."));
  for (let nth = 0; nth < 20; nth++) runner.say(id, said(`m${nth}`, `text ${nth}`));
  expect((await refusal(engine.sessions.change(id, { title: "no" }, desk))).code).toBe(
    "STORE_FAILED",
  );
  expect((await refusal(bench.send(id, "lost?"))).code).toBe("STORE_FAILED");
  expect(engine.sessions.get(id).title).not.toBe("no");
  expect(runner.acked(id)).toBe(acked);

  gate.trouble = undefined;
  await engine.sessions.change(id, { title: "yes" }, desk);
  runner.say(id, result());
  await bench.stored(runner, id);
  await until(() => trouble().at(-1) === null);
  const lines = await engine.history.listLines(id, { after: 0, limit: 1000 });
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  expect(lines).toHaveLength(runner.runs.get(id)?.seq ?? 0);
  expect(engine.sessions.get(id)).toMatchObject({ title: "yes", state: "running", queue: [] });
  expect((await bench.store.sessions())[0]?.title).toBe("yes");
});

test("[HB3] a hub that cannot store can still be closed", async () => {
  const bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  bench.gate.trouble = "The disk is full.";
  runner.say(id, said("m", "text"));
  await bench[Symbol.asyncDispose]();
});

test("[HB65] a flood of lines waits for the disk for a limited time, in order, and nothing is lost", async () => {
  await using bench = await Bench.open();
  const { engine, gate } = bench;
  const runner = await bench.runner();
  const [flooded, other] = [await bench.running(runner), await bench.running(runner)];
  const viewer = new Viewer(flooded).connect(engine);
  await until(() => viewer.live);
  await bench.stored(runner, flooded);
  await bench.stored(runner, other);
  const acknowledged = () => runner.of("ack").filter(({ session }) => session === flooded).length;
  const before = acknowledged();

  gate.hold();
  const names = Array.from({ length: 40 }, (_, nth) => `flood${nth}`);
  for (const name of names) runner.say(flooded, said(name, "x".repeat(30_000).repeat(20)));
  runner.say(other, said("other", "hello"));
  await until(() => gate.inFlight >= 2); // the other session's line is with the disk as well
  expect(acknowledged()).toBe(before);

  gate.release();
  await bench.stored(runner, flooded);
  await bench.stored(runner, other);
  await until(() => viewer.list.filter(({ id }) => id.startsWith("flood")).length === names.length);
  expect(gate.largest).toBeLessThan(8 * 1024 * 1024); // of 24 million characters
  const shown = viewer.list.map(({ id }) => id).filter((id) => id.startsWith("flood"));
  expect(shown.map((id) => id.split("/")[0])).toEqual(names);
});
