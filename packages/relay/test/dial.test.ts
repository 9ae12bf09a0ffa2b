import { expect, setDefaultTimeout, test } from "bun:test";
import { createRunEnd } from "@signalbox/host/launch";
import { formatLostRun } from "../../hub/src/session/start-order.ts";
import { openCutter } from "@signalbox/testing/cutter";
import { ScriptedDial } from "./scripted-dial.ts";
import { upgradeStatus } from "./scripted-agent.ts";
import { person, RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);

/** Small and repeatable. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
const said = (text: string) => ({
  type: "assistant",
  message: { id: `m-${text}`, role: "assistant", content: [{ type: "text", text }] },
  uuid: crypto.randomUUID(),
});
const word = (text: string) => ({
  type: "stream_event",
  event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  parent_tool_use_id: null,
  uuid: crypto.randomUUID(),
});

test(`[RL50] numbered lines arrive once and in order in both directions, over twenty interruptions at random places and a restart of the hub (SEED=${seed})`, async () => {
  const random = randomFrom(seed);
  await using stage = await RelayStage.open();
  await using cutter = await openCutter(stage.hub.port);
  const { session, secret, url } = await stage.invite();
  const path = new URL(url).pathname;
  using dial = new ScriptedDial(() => `ws://127.0.0.1:${cutter.port}${path}`, secret, random);
  await stage.running(session);
  expect(stage.view(session)).toMatchObject({
    run: { run: dial.life, path: "/bin/far", version: "9.9.9" },
  });
  const texts: string[] = [];
  const prompts: string[] = [];
  for (let cut = 0; cut < 20; cut += 1) {
    await until(() => dial.connections > cut); // each cut has something to cut
    cutter.cutWithin(Math.floor(random() * 8000));
    for (let line = 0; line < 20; line += 1) {
      const text = `${cut}/${line}`;
      texts.push(text);
      dial.say(said(text));
      dial.say(word("not stored by itself"));
    }
    const id = crypto.randomUUID();
    prompts.push(id);
    await stage.engine.prompts.send(session, id, { text: `prompt ${cut}`, now: true }, person);
    if (cut === 10) {
      await stage.hub.stop();
      await stage.start();
    }
    if (random() < 0.5) await until(() => dial.acked >= 1 + cut * 40);
    cutter.cut();
  }
  await until(async () => (await stage.texts(session)).length >= texts.length);
  expect(await stage.texts(session)).toEqual(texts);
  await until(() => prompts.every((id) => dial.given.some((line) => line.includes(id))));
  const arrived = dial.given.flatMap((line) => {
    const { type, uuid } = JSON.parse(line) as { type: string; uuid?: string };
    return type === "user" && uuid !== undefined ? [uuid] : [];
  });
  expect(arrived).toEqual(prompts);
  await until(() => dial.acked === texts.length * 2 + 1);
  expect(dial.connections).toBeGreaterThan(20);
  expect(stage.engine.relaySessions.findRow(session)).toMatchObject({
    run: dial.life,
    state: "running",
  });

  dial.end(3);
  await until(() => dial.lastClose?.code === 1000);
  expect(stage.view(session)).toMatchObject({ state: "crashed" });
  expect(stage.view(session).problem).toContain("exit code 3");
  const over = { authorization: `Bearer ${secret}`, "x-signalbox-dial": dial.life };
  expect(await upgradeStatus(url, over)).toBe(410);
});

test("[RL50] lines that dial reports as missing are shown in the session, and the following lines arrive; a line of more than 8 MiB is handled like others", async () => {
  await using stage = await RelayStage.open();
  const { session, secret, url } = await stage.invite();
  using dial = new ScriptedDial(() => url, secret);
  dial.lost = 7;
  await stage.running(session);
  const long = "x".repeat(12 << 20);
  for (const text of ["before", long, "after"]) dial.say(said(text));
  await until(async () => (await stage.texts(session)).at(-1) === "after");
  const lines = await stage.engine.history.listLines(session, { after: 0, limit: 100 });
  expect(lines.some(({ text }) => text?.includes("7 lines of the agent are missing"))).toBe(true);
});

test("[RL50] a message whose turn ends together with the agent is not sent to the next agent", async () => {
  await using stage = await RelayStage.open();
  const { session, secret, url } = await stage.invite();
  using dial = new ScriptedDial(() => url, secret);
  await stage.running(session);
  await stage.engine.prompts.send(session, crypto.randomUUID(), { text: "do it once" }, person);
  await until(() => dial.given.some((line) => line.includes("do it once")));
  const uuid = crypto.randomUUID();
  dial.say(said("done"));
  dial.say({ type: "result", subtype: "success", is_error: false, result: "done", uuid });
  dial.end(0);
  await until(() => dial.lastClose?.code === 1000);
  using next = new ScriptedDial(() => url, secret);
  await until(() => stage.view(session).run?.run === next.life);
  expect(stage.view(session)).toMatchObject({ queue: [], summary: { turns: 1 } });
});

test("[RL51] the end of a dialed agent is reported as it happened: stopped, parked or by itself; and nothing offers to start it again", async () => {
  await using stage = await RelayStage.open();
  const told = async (end: (session: string, dial: ScriptedDial) => Promise<unknown>) => {
    const { session, secret, url } = await stage.invite();
    using dial = new ScriptedDial(() => url, secret);
    dial.endsWhenStopped = 0;
    await stage.running(session);
    await end(session, dial);
    await until(() => dial.lastClose?.code === 1000);
    const lines = await stage.engine.history.listLines(session, { after: 0, limit: 1000 });
    const last = lines.findLast(({ text }) => text?.includes('"run_ended"'))?.text ?? "{}";
    return (JSON.parse(last) as { sentence: string }).sentence;
  };
  const stopped = await told((session) => stage.engine.sessions.stop(session, person));
  expect(stopped).toBe("The agent was stopped (its input was closed).");
  const parked = await told((session) => stage.engine.sessions.park(session, person));
  expect(parked).toBe("The session was parked. It goes on when an agent dials in.");
  const left = await told(async (_, dial) => dial.end(0));
  expect(left).toBe("The agent finished and left by itself.");
  let ended = "";
  const crashed = await told(async (session, dial) => {
    ended = session;
    dial.end(42);
  });
  await until(() => stage.view(ended).runEnd?.exitCode === 42);
  expect(crashed).toContain("exit code 42");
  expect(crashed).toContain("continues when an agent dials in");
  const unseen = createRunEnd("crashed", { code: null, signal: null, dialed: true }).sentence;
  expect(unseen).toStartWith("The agent ended unexpectedly. ");
  for (const state of ["starting", "running"]) {
    const lost = formatLostRun("a run", state, true);
    expect(lost).toContain("continues when an agent dials in");
    expect(lost).not.toContain("starts");
  }
  expect(crashed).not.toContain("starts the agent again");
});
