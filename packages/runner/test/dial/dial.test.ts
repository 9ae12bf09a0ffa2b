import { speakingAgent } from "@signalbox/testing/programs";
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  deliverBufferedLines,
  Dial,
  type DialEvent,
  type DialOptions,
  startDialedAgent,
} from "@signalbox/runner/dial";
import { addressHash } from "../../src/dial/life-note.ts";
import { addRequiredFlags } from "../../src/dial/dialed-agent.ts";
import { FakeRelay } from "@signalbox/testing/fake-relay";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

/** An agent that is dialed in to a relay, in a place that goes with the test. */
async function dialed(
  relay: FakeRelay,
  args: readonly string[],
  options: Partial<DialOptions> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-dial-"));
  const { process: agent, about } = await startDialedAgent({
    command: [process.execPath, speakingAgent, ...args],
    folder,
    environment: process.env,
  });
  const news: DialEvent[] = [];
  const dial = new Dial({
    url: relay.url,
    process: agent,
    about,
    dataFolder: folder,
    firstMs: 20,
    onEvent: (each) => news.push(each),
    ...options,
  });
  return {
    dial,
    agent,
    news,
    folder,
    async [Symbol.asyncDispose]() {
      dial.leave();
      await agent.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Said = { type: string; nth: number };
const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Said);
const numbers = (lines: readonly string[], type: string) =>
  parsed(lines).flatMap((line) => (line.type === type ? [line.nth] : []));
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test("[DL1] over twenty interruptions at random places, with lines in both directions, every line arrives once and in order, in one life of the agent", async () => {
  using relay = new FakeRelay();
  await using one = await dialed(relay, ["20000", "2"], { token: "secret" });
  for (let cut = 1; cut <= 20; cut += 1) {
    await until(() => relay.isConnected);
    relay.say(JSON.stringify({ nth: cut }));
    const from = relay.stored.length;
    await until(() => relay.stored.length > from + Math.random() * 800 || from >= 20_000);
    relay.cut();
  }
  await until(() => numbers(relay.stored, "heard").length === 20);
  relay.say('{"leave":3}');
  expect(await one.dial.done).toEqual({ kind: "delivered" });
  expect(numbers(relay.stored, "said")).toEqual(upTo(20_000));
  expect(numbers(relay.stored, "heard")).toEqual(upTo(20));
  expect(relay.connections).toBeGreaterThan(15);
  expect(relay.lives).toEqual(new Set([one.dial.life]));
  expect(relay.requests[0]?.get("authorization")).toBe("Bearer secret");
  expect(relay.ended).toMatchObject({ code: 3, signal: null, stderr: "I am leaving.\n" });
});

test("[DL1] a message that a hub sends again, because it was killed before it stored that it had sent it, reaches the agent once", async () => {
  using relay = new FakeRelay();
  await using one = await dialed(relay, ["1"]);
  await until(() => relay.isConnected);
  const prompt = (nth: number) => JSON.stringify({ type: "user", uuid: `u${nth}`, nth });
  for (const nth of [1, 1, 2, 1, 2, 3]) relay.say(prompt(nth));
  await until(() => numbers(relay.stored, "heard").includes(3));
  expect(numbers(relay.stored, "heard")).toEqual([1, 2, 3]);
  relay.say('{"leave":0}');
  expect(await one.dial.done).toEqual({ kind: "delivered" });
});

test("[DL2] while the relay cannot be reached lines wait in memory and on the disk, the agent waits when that is full, and then all arrive", async () => {
  using relay = new FakeRelay();
  await relay.close();
  const limits = { memory: 100_000, waiting: 3_000_000, window: 1 << 20 };
  await using one = await dialed(relay, ["10000"], { limits });
  await until(() => one.news.length > 0 && readdirSync(join(one.folder, "spill")).length > 0);
  expect(new Set(one.news.map(({ kind }) => kind))).toEqual(new Set(["away"]));
  relay.open();
  relay.say('{"leave":0}');
  expect(await one.dial.done).toEqual({ kind: "delivered" });
  expect(numbers(relay.stored, "said")).toEqual(upTo(10_000));
  expect(readdirSync(join(one.folder, "spill"))).toEqual([]);
});

test("[DL2] the end is sent after all lines, also after those that wait until the relay has stored some", async () => {
  using relay = new FakeRelay();
  await relay.close();
  await using one = await dialed(relay, ["2000"], {
    limits: { memory: 1 << 24, waiting: 1 << 24, window: 10_000 },
  });
  await one.agent.close(); // it has said everything, and left
  relay.open();
  expect(await one.dial.done).toEqual({ kind: "delivered" });
  expect(numbers(relay.stored, "said")).toEqual(upTo(2000));
  expect(one.dial.isDelivered).toBe(true);
});

test("[DL2] if lines before those on the disk are missing, the others arrive and the loss is reported", async () => {
  const parent = mkdtempSync(join(tmpdir(), "signalbox-dial-"));
  const dataFolder = join(parent, "lines");
  mkdirSync(dataFolder);
  using relay = new FakeRelay();
  await using one = await dialed(relay, ["20000", "20"], { dataFolder });
  await until(() => relay.stored.length > 500);
  await relay.close();
  await until(() => readdirSync(join(dataFolder, "spill")).length > 0);
  await one.agent.close();
  one.dial.leave();
  using another = new FakeRelay(); // which has not what that one had
  const { url } = another;
  const nobody = 2 ** 22; // the largest number that a process can have, and one more
  writeFileSync(
    join(dataFolder, "life.json"),
    JSON.stringify({ life: one.dial.life, to: addressHash(url), pid: nobody }),
  );
  await deliverBufferedLines(parent, { url });
  expect(another.lives).toEqual(new Set([one.dial.life]));
  const [first = 0] = numbers(another.stored, "said");
  expect(first).toBeGreaterThan(1);
  expect(another.lost).toEqual([first - 1]);
  const more = another.stored.length;
  expect(numbers(another.stored, "said")).toEqual(upTo(first + more - 1).slice(first - 1));
  expect(another.ended?.stderr).toContain("ended unexpectedly");
  expect(readdirSync(parent)).toEqual([]);
  rmSync(parent, { recursive: true });
});

test("[DL1] a hub that no longer has lines that it had acknowledged is told so once, and gets the following lines", async () => {
  using relay = new FakeRelay();
  await using one = await dialed(relay, ["500"]);
  await until(() => relay.stored.length === 500 && one.dial.isDelivered);
  relay.stored.length = 300; // as after its data folder was put back
  relay.cut();
  await until(() => relay.lost.length > 0);
  relay.say('{"nth":1}');
  await until(() => relay.stored.length === 301 && one.dial.isDelivered);
  relay.cut();
  await until(() => relay.isConnected);
  relay.say('{"leave":0}');
  expect(await one.dial.done).toEqual({ kind: "delivered" });
  expect(relay.lost).toEqual([200]);
  expect(one.news).toContainEqual({ kind: "lost", lines: 200 });
  expect(numbers(relay.stored, "heard")).toEqual([1]);
});

test("[DL1] a line that is larger than the limit for data in transit arrives, and so do the lines after it", async () => {
  using relay = new FakeRelay();
  await using one = await dialed(relay, ["2", "0", String(12 << 20)]);
  relay.say('{"leave":0}');
  expect(await one.dial.done).toEqual({ kind: "delivered" });
  expect(numbers(relay.stored, "said")).toEqual([1, 2]);
});

test("[DL3] a hub whose welcome is late gets every line nevertheless, and none of its frames reaches the agent", async () => {
  using relay = new FakeRelay();
  relay.isLate = true;
  await using one = await dialed(relay, ["300"], { plainAfterMs: 10 });
  await until(() => relay.notUnderstood === 300); // in plain lines, to somebody who keeps none
  relay.welcome();
  relay.say('{"leave":0}');
  expect(await one.dial.done).toEqual({ kind: "delivered" });
  expect(numbers(relay.stored, "said")).toEqual(upTo(300));
  expect(numbers(relay.stored, "heard")).toEqual([]);
});

test("[DL3] a relay without numbered lines gets plain lines, and after an interruption the last ones again with the id of the last", async () => {
  using relay = new FakeRelay("plain");
  await using one = await dialed(relay, ["1500"]);
  await until(() => numbers(relay.stored, "said").length === 1500);
  expect(one.news.at(-1)).toEqual({ kind: "connected", plain: true });
  expect(numbers(relay.stored, "said")).toEqual(upTo(1500));
  await until(() => relay.stored.length === 1501); // its `initialize` reached the agent, and was answered
  const last = relay.stored.at(-1) ?? "";
  relay.cut();
  await until(() => relay.stored.length >= 2501);
  expect(relay.stored.at(2500)).toBe(last);
  const { uuid } = JSON.parse(last) as { uuid: string };
  expect(relay.requests.at(-1)?.get("x-last-request-id")).toBe(uuid);
  relay.say('{"leave":0}');
  expect(await one.dial.done).toEqual({ kind: "delivered" });
});

test("[DL3] a relay that has sent plain lines has received its lines, even if it sent nothing since the last interruption", async () => {
  using relay = new FakeRelay("plain");
  await using one = await dialed(relay, ["3"], { plainAfterMs: 10 });
  await until(() => relay.stored.length === 4);
  relay.isLate = true;
  relay.cut();
  await until(() => relay.connections === 2);
  await one.agent.close();
  expect(await one.dial.done).toEqual({ kind: "delivered" });
  expect(one.dial.isDelivered).toBe(true);
});

test("[DL4] a final refusal ends the command, a hub that sends stop ends the agent, and a relay that does not listen yet is waited for", async () => {
  using relay = new FakeRelay();
  for (const status of [401, 404, 410]) {
    relay.refuseWith = status;
    await using one = await dialed(relay, ["1"]);
    expect(await one.dial.done).toEqual({ kind: "refused", status });
  }
  relay.refuseWith = 409;
  await using one = await dialed(relay, ["1"]);
  await until(() => one.news.length > 1);
  expect(one.news[0]).toMatchObject({ kind: "away", why: "it said 409" });
  relay.reason = "Another agent is connected to this session.";
  const why = `it said 409: ${relay.reason}`;
  await until(() => one.news.some((each) => each.kind === "away" && each.why === why));
  relay.refuseWith = undefined;
  await until(() => relay.stored.length === 1);
  relay.stop();
  expect(await one.dial.done).toEqual({ kind: "delivered" });
  expect(relay.ended).toMatchObject({ code: 0 });
});

test("[DL5] Claude Code gets the options that the protocol needs, unless they were given", () => {
  expect(addRequiredFlags(["--model", "opus"]).slice(-2)).toEqual(["--model", "opus"]);
  expect(addRequiredFlags([])).toContain("--output-format=stream-json");
  const given = addRequiredFlags(["-p", "--verbose", "--output-format", "stream-json"]);
  expect(given.filter((arg) => /^(-p|--print|--verbose|--output)/.test(arg))).toHaveLength(3);
});
