import { expect, setDefaultTimeout, test } from "bun:test";
import { Bench, desk, refusal } from "./bench.ts";
import { type FakeRunner, until } from "./fake-runner.ts";
import { begin, init, replay, result, said } from "./speech.ts";

setDefaultTimeout(180_000);

const sent = (runner: FakeRunner) => runner.orders("prompt").map(({ text }) => text);
const texts = (bench: Bench, id: string) =>
  bench.engine.sessions.get(id).queue.map(({ text }) => text);
/** The smallest picture there is. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A session in the middle of its first turn. */
async function inTurn(bench: Bench) {
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.send(id, "first");
  runner.say(id, ...begin("m1"));
  await bench.stored(runner, id);
  return { runner, id };
}

test("[HB30] a message waits for the end of the turn unless it is marked to be sent now", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.send(id, "first");
  await until(() => sent(runner).length === 1);
  runner.say(id, ...begin("m1"));
  await bench.stored(runner, id);
  await bench.send(id, "second");
  await bench.send(id, "third");
  await bench.send(id, "steer", crypto.randomUUID(), true);
  await until(() => sent(runner).length === 2);
  expect(sent(runner)).toEqual(["first", "steer"]);
  await until(() => texts(bench, id).join() === "second,third");
  runner.say(id, said("m1", "hi"), result());
  await until(() => sent(runner).length === 3);
  await bench.stored(runner, id);
  expect(texts(bench, id)).toEqual(["third"]);
  runner.say(id, said("m2", "hi"), result());
  await until(() => texts(bench, id).length === 0);
  expect(sent(runner)).toEqual(["first", "steer", "second", "third"]);
});

test("[HB31] waiting messages can be moved, sent now and withdrawn, and messages that the agent has cannot", async () => {
  await using bench = await Bench.open();
  const { runner, id } = await inTurn(bench);
  const ids = new Map<string, string>();
  for (const text of ["a", "b", "c", "d"]) ids.set(text, (await bench.send(id, text)).id);
  const of = (text: string) => ids.get(text) ?? "";
  const nothing = await refusal(bench.engine.prompts.move(id, of("d"), {}));
  expect(nothing).toEqual({ status: 422, code: "nothing-asked" });
  await bench.engine.prompts.move(id, of("d"), { place: 0 });
  await bench.engine.prompts.move(id, of("a"), { place: 99 });
  expect(texts(bench, id)).toEqual(["d", "b", "c", "a"]);
  await bench.engine.prompts.withdraw(id, of("b"));
  expect(texts(bench, id)).toEqual(["d", "c", "a"]);
  await bench.engine.prompts.move(id, of("c"), { now: true });
  await until(() => sent(runner).includes("c") && texts(bench, id).join() === "d,a");
  expect((await bench.store.prompts()).map(({ text }) => text)).not.toContain("b");
  await bench.closeHub();
  await bench.openHub();
  expect(texts(bench, id)).toEqual(["d", "a"]);

  const back = await bench.runner(runner);
  back.carryOut = () => undefined;
  back.say(id, said("m1", "hi"), result());
  await until(() => sent(back).length === 1);
  const withdrawn = await refusal(bench.engine.prompts.withdraw(id, of("d")));
  expect(withdrawn).toEqual({ status: 409, code: "already-sent" });
  const moved = await refusal(bench.engine.prompts.move(id, of("d"), { place: 1 }));
  expect(moved.code).toBe("already-sent");
  const gone = await refusal(bench.engine.prompts.withdraw(id, of("b")));
  expect(gone).toEqual({ status: 404, code: "no-such-prompt" });
});

test("[HB31] a waiting message can be read completely, however long, with its images, and a withdrawn one cannot", async () => {
  await using bench = await Bench.open();
  const { id } = await inTurn(bench);
  const text = "word ".repeat(20_000);
  const images = [{ data: PIXEL, name: "dot.png" }];
  const prompt = crypto.randomUUID();
  const sent = await bench.engine.prompts.send(id, prompt, { text, images }, desk);
  expect(sent.text.length).toBeLessThan(text.length);
  expect(await bench.engine.prompts.get(id, prompt)).toEqual({ text, images });
  await bench.engine.prompts.withdraw(id, prompt);
  expect((await refusal(bench.engine.prompts.get(id, prompt))).code).toBe("no-such-prompt");
});

test("[HB32] the same id is one message, also when sent at once and long after it arrived, and is refused in another session", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const other = await bench.running(runner);
  const same = crypto.randomUUID();
  await Promise.all(Array.from({ length: 20 }, () => bench.send(id, "once", same)));
  await until(() => sent(runner).length === 1);
  runner.say(id, said("m", "hi"), result());
  await until(() => texts(bench, id).length === 0);
  for (let nth = 0; nth < 100; nth++) {
    expect((await bench.send(id, "once", same)).status).toBe("sent");
  }
  await bench.closeHub();
  await bench.openHub();
  const back = await bench.runner(runner);
  await bench.send(id, "once", same);
  await bench.send(id, "another");
  await until(() => sent(back).length === 1);
  expect(sent(back)).toEqual(["another"]);
  expect(sent(runner)).toEqual(["once"]);

  back.carryOut = () => undefined;
  const waiting = await bench.send(id, "waits here");
  const stolen = await refusal(bench.send(other, "waits there", waiting.id));
  expect(stolen).toEqual({ status: 409, code: "prompt-id-used" });
});

test("[HB33] an empty message and an invalid image are refused, and a valid image arrives unchanged", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  expect(await refusal(bench.send(id, " \n "))).toEqual({ status: 422, code: "empty-prompt" });
  const send = (data: string) =>
    bench.engine.prompts.send(
      id,
      crypto.randomUUID(),
      { text: "", images: [{ data, name: "p" }] },
      desk,
    );
  expect(await refusal(send(btoa("no picture")))).toEqual({ status: 422, code: "bad-image" });
  const vast = Buffer.from(PIXEL, "base64");
  vast.writeUInt32BE(65_535, 16); // a few bytes that claim a picture of four billion pixels
  vast.writeUInt32BE(65_535, 20);
  const why: unknown = await send(vast.toString("base64")).catch((failure: unknown) => failure);
  expect(why).toMatchObject({ status: 422, code: "bad-image" });
  const size =
    "it is 65535 × 65535 pixels, and the model accepts 8000 on each side. Make it smaller.";
  expect((why as Error).message).toBe(`The file p cannot be sent: ${size}`);
  expect(await bench.store.prompts()).toEqual([]);
  await send(PIXEL);
  await until(() => runner.orders("prompt").length === 1);
  expect(runner.orders("prompt")[0]?.images).toEqual([{ data: PIXEL, name: "p" }]);
});

test("[HB34] a message that is sent while the runner is not connected is stored over restarts, and delivered when the runner is back", async () => {
  await using bench = await Bench.open();
  const { id } = await bench.create({ prompt: { text: "first" } });
  expect(bench.engine.sessions.get(id)).toMatchObject({ state: "new", queue: [{ text: "first" }] });
  await bench.closeHub();
  await bench.openHub();
  const runner = await bench.runner();
  await until(() => sent(runner).length === 1);
  runner.say(id, said("m", "hi"), result());
  await bench.stored(runner, id);
  runner.leave();
  await bench.send(id, "second");
  const back = await bench.runner(runner); // its agent has lived on
  await until(() => sent(back).length === 1);
  expect(sent(back)).toEqual(["second"]);
  back.leave();

  await bench.send(id, "third");
  const other = await bench.runner(); // and here it has not
  await until(() => sent(other).length > 0);
  expect(other.orders("start")).toHaveLength(1);
  expect(other.orders("start")[0]?.launch).toMatchObject({ resume: {} });
});

test("[HB34] a message to a stopped session whose runner is not connected is stored over restarts, and the session says what it waits for", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.engine.sessions.stop(id, desk);
  runner.leave();
  expect(bench.engine.sessions.get(id).problem).toBeUndefined();
  await bench.send(id, "later");
  expect(bench.engine.sessions.get(id).problem).toContain(
    "The runner of this session is not connected",
  );
  await bench.closeHub();
  await bench.openHub();
  const back = await bench.runner();
  await until(() => sent(back).length === 1);
  expect(bench.engine.sessions.get(id).problem).toBeUndefined();
});

test("[HB66] a message whose agent or environment was removed waits, the session says why, and it is sent when that is back", async () => {
  const log: string[] = [];
  await using bench = await Bench.open({ log: (text) => log.push(text) });
  const runner = await bench.runner();
  const { engine } = bench;
  const mine = { name: "mine", path: "/opt/mine", driver: "stdio", models: [], flags: [] };
  await engine.settings.setAgents([mine], desk);
  await engine.settings.setEnvironments({ p2: { A: "1" } }, desk);
  const id = await bench.running(runner, { agent: "mine", environment: "p2" });
  const wakeSays = () =>
    engine.sessions.wake(id, desk).catch((why: unknown) => (why as Error).message);
  const says = async (text: string, why: string) => {
    await bench.send(id, text);
    expect(engine.sessions.get(id)).toMatchObject({ state: "crashed", problem: why });
    expect(await wakeSays()).toBe(why);
    expect(log.at(-1)).toContain(why);
  };

  await engine.sessions.stop(id, desk);
  await engine.settings.setEnvironments({}, desk);
  await says("one", 'The environment profile "p2" is not in the settings.');
  await engine.settings.setEnvironments({ p2: {} }, desk);
  await engine.settings.setAgents([], desk);
  await says("two", 'The agent "mine" is not in the settings. Choose one of: claude-code.');
  expect(texts(bench, id)).toEqual(["one", "two"]);

  runner.leave();
  const back = await bench.runner();
  await until(() => log.length === 3); // tried again, and as much in vain
  expect(await refusal(engine.sessions.retry(id, desk, {}))).toMatchObject({
    code: "no-such-agent",
  });
  await engine.settings.setAgents([mine], desk);
  await engine.sessions.retry(id, desk, {});
  await until(() => sent(back).length === 1);
  back.say(id, said("m", "hi"), result());
  await until(() => sent(back).length === 2);
  expect(sent(back)).toEqual(["one", "two"]);
  expect(engine.sessions.get(id).problem).toBeUndefined();
});

test("[HB66] a message whose run could not be stored is sent when the store can be written again", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.engine.sessions.stop(id, desk);
  const told = Promise.withResolvers<void>();
  bench.gate.linger = told.promise;
  const sending = bench.send(id, "kept");
  await until(async () => (await bench.store.prompts()).length > 0);
  bench.gate.trouble = "The disk is full."; // the message is stored, and its run cannot be
  told.resolve();
  await sending;
  expect(bench.engine.sessions.get(id)).toMatchObject({
    state: "stopped",
    queue: [{ text: "kept" }],
  });
  bench.gate.trouble = undefined;
  await until(() => sent(runner).length === 1);
});

test("[HB35] a message that an ended run had not shown to have received waits again, and is sent only with the person's next message", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  runner.carryOut = () => undefined; // it is given to the agent, which says nothing of it
  const lost = await bench.send(id, "lost");
  await until(() => sent(runner).length === 1);
  const queued = { type: "command_lifecycle", command_uuid: lost.id, state: "queued" };
  runner.say(id, JSON.stringify({ ...queued, uuid: crypto.randomUUID(), session_id: "s" }));
  await bench.stored(runner, id);
  expect(bench.engine.sessions.get(id).queue).toMatchObject([{ text: "lost", status: "sent" }]);
  runner.end(id, "crashed", "signal");
  await until(() => bench.engine.sessions.get(id).state === "crashed");
  expect(bench.engine.sessions.get(id).queue).toMatchObject([{ text: "lost", status: "waiting" }]);

  const again = await bench.runner();
  await bench.closeHub();
  await bench.openHub();
  const last = await bench.runner();
  expect([...again.of("order"), ...last.of("order")]).toEqual([]);
  await bench.send(id, "word");
  await until(() => sent(last).length === 1);
  last.say(id, said("m", "hi"), result());
  await until(() => sent(last).length === 2);
  expect(sent(last)).toEqual(["lost", "word"]);
});

test("[HB36] when a runner comes back without its runs they have crashed: asks are cancelled, and nothing starts automatically", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.send(id, "work");
  runner.say(id, ...begin("m1"));
  runner.ask(id, "a");
  const ask = await bench.ask(id);
  await bench.send(id, "waits");
  await bench.stored(runner, id);
  runner.leave();
  expect(bench.engine.asks.list()).toHaveLength(1); // it may come back
  const back = await bench.runner();
  await until(() => bench.engine.sessions.get(id).state === "crashed");
  expect(bench.engine.sessions.get(id).problem).toContain(
    "the next message starts the agent again",
  );
  expect((await bench.store.ask(ask.id))?.status).toBe("cancelled");
  expect(bench.engine.sessions.get(id).queue).toMatchObject([{ text: "waits", status: "waiting" }]);
  expect(back.of("order")).toEqual([]);
  await bench.engine.sessions.wake(id, desk);
  await until(() => sent(back).length === 1);
  expect(sent(back)).toEqual(["waits"]);
});

test("[HB37] a run that was ordered and never began is ordered again for the waiting message", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  runner.carryOut = () => undefined;
  const { id } = await bench.create({ prompt: { text: "first" } });
  expect(bench.engine.sessions.get(id).state).toBe("starting");
  await bench.closeHub(); // killed right after it has accepted
  await bench.openHub();
  const back = await bench.runner();
  await until(() => sent(back).length === 1);
  expect(sent(back)).toEqual(["first"]);
  await bench.stored(back, id);
  expect(bench.engine.sessions.get(id).state).toBe("running");
});

test("[HB38] the end of the turn shows that a message arrived at an agent that prints no messages back", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  runner.carryOut = () => ({});
  await bench.send(id, "first");
  await until(() => sent(runner).length === 1);
  runner.say(id, init(), said("m", "hi"), result());
  await until(() => texts(bench, id).length === 0);
  const replayed = await bench.send(id, "second");
  await until(() => sent(runner).length === 2);
  runner.say(id, replay(replayed.id, "second"));
  await until(() => texts(bench, id).length === 0);
});

test("[HB38] a message whose replay is too long to read has arrived when its turn has ended", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.send(id, "short");
  await until(() => bench.engine.sessions.get(id).queue.length === 0);
  runner.say(id, said("m1", "hi"), result());
  await bench.send(id, "long".repeat(2_500_000));
  await until(() => sent(runner).length === 2);
  await bench.stored(runner, id);
  expect(bench.engine.sessions.get(id).queue).toHaveLength(1);
  runner.say(id, said("m2", "hi"), result());
  await until(() => bench.engine.sessions.get(id).queue.length === 0);
});

test("[HB39] the beginning of a long waiting message is shown, and the agent gets the whole message", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  runner.carryOut = () => undefined; // it is on its way for as long as this test looks
  const text = "long ".repeat(1_000_000);
  await bench.send(id, text);
  const [shown] = bench.engine.sessions.get(id).queue;
  expect(shown).toMatchObject({ text: text.slice(0, 32 * 1024), characters: text.length });
  await until(() => sent(runner).length === 1);
  expect(sent(runner)).toEqual([text]);
});

test("[HB47] at most 8 MiB are in transit to an agent that has shown no receipt, and the rest follows in order", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  runner.carryOut = () => ({}); // taken, and nothing comes back
  const long = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(3 * 1024 * 1024));
  for (const text of long) await bench.send(id, text, crypto.randomUUID(), true);
  const letters = () => sent(runner).map((text) => text[0]);
  await until(() => letters().length === 2);
  await bench.send(id, "short", crypto.randomUUID(), true);
  const [first, second] = runner.orders("prompt");
  runner.say(id, init(), replay(first?.uuid ?? "", "a"), replay(second?.uuid ?? "", "b"));
  await until(() => letters().length === 4);
  expect(letters()).toEqual(["a", "b", "c", "d"]);
  expect(bench.engine.sessions.get(id).queue.map(({ status }) => status)).toEqual([
    "sent",
    "sent",
    "waiting",
    "waiting",
  ]);
});

test.each(["letters of three bytes", "images"])(
  "[HB47] the limit of 8 MiB counts the bytes that are sent: %s",
  async (what) => {
    await using bench = await Bench.open();
    const runner = await bench.runner();
    const id = await bench.running(runner);
    const usual = runner.carryOut;
    runner.carryOut = (order, nth) => (order.kind === "prompt" ? undefined : usual(order, nth));
    // Each takes more than 3 MiB: a million letters of three bytes, or a picture in base64.
    const data = Buffer.concat([Buffer.from(PIXEL, "base64"), Buffer.alloc(3_000_000)]);
    const long =
      what !== "images"
        ? { text: "語".repeat(1_100_000) }
        : { text: "look", images: [{ data: data.toString("base64") }] };
    const ids = Array.from({ length: 4 }, () => crypto.randomUUID());
    for (const each of ids) await bench.engine.prompts.send(id, each, { ...long, now: true }, desk);
    const given = () => runner.orders("prompt").map(({ uuid }) => uuid);
    await until(() => given().length === 2);
    const waiting = () =>
      bench.engine.sessions
        .get(id)
        .queue.flatMap((each) => (each.status === "waiting" ? [each.id] : []));
    await until(() => waiting().length === 2);
    expect(given()).toEqual(ids.slice(0, 2));
    expect((await bench.store.prompts()).map((row) => row.id)).toEqual(ids);
    for (const [nth, each] of ids.entries()) {
      runner.say(id, replay(each, "taken"));
      await until(() => given().length === Math.min(nth + 3, 4));
    }
    await until(() => bench.engine.sessions.get(id).queue.length === 0);
    expect(given()).toEqual(ids);
  },
);
