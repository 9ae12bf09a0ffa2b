import { expect, setDefaultTimeout, test } from "bun:test";
import { Clock } from "@signalbox/testing/clock";
import { RecordedFrontEnd } from "./front-ends.ts";
import { ScriptedAgent, upgradeStatus } from "./scripted-agent.ts";
import { ScriptedDial } from "./scripted-dial.ts";
import { person, RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

const GRACE_MS = 15_000;
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

test("[RL11] [RL20] an agent whose connection broke is away for fifteen seconds, and front ends are told only when it has not come back after that", async () => {
  await using stage = await RelayStage.open();
  const { session, secret, url } = await stage.invite();
  const agent = new ScriptedAgent(url, bearer(secret));
  await stage.running(session);
  using frontEnd = new RecordedFrontEnd(`${stage.ws}/ws`, await stage.attached("/ws"));
  await frontEnd.see(({ text }) => text === "claude code is connected");
  agent.text("one", { uuid: "u1" });
  await until(async () => (await stage.texts(session)).length === 1);

  using clock = new Clock();
  agent.break();
  await until(() => clock.due(GRACE_MS).length === 1);
  expect(stage.view(session)).toMatchObject({ state: "running", dialled: { connected: false } });
  const header = { ...bearer(secret), "x-last-request-id": "u1" };
  const back = new ScriptedAgent(url, header, true);
  await until(() => stage.view(session).dialled?.connected === true);
  await clock.pass(GRACE_MS); // a timer that comes late finds the agent back
  back.text("two");
  await until(async () => (await stage.texts(session)).length === 2);
  expect(stage.view(session).state).toBe("running");
  expect(frontEnd.statuses).toEqual(["claude code is connected"]);

  back.break();
  await until(() => clock.due(GRACE_MS).length === 2);
  await clock.pass(GRACE_MS);
  await frontEnd.see(({ text }) => text === "claude code disconnected");
  await until(() => stage.view(session).state === "crashed");
  expect(stage.view(session).problem).toContain("15 s");
});

test("[RL12] after a restart of the hub an agent that was connected before has the same fifteen seconds", async () => {
  await using stage = await RelayStage.open();
  const { session, secret, url } = await stage.invite();
  using agent = new ScriptedAgent(url, bearer(secret));
  await stage.running(session);
  agent.text("one");
  await until(async () => (await stage.texts(session)).length === 1);
  await stage.hub.stop();
  using clock = new Clock();
  await stage.start();
  expect(clock.due(GRACE_MS)).toHaveLength(1);
  expect(stage.view(session)).toMatchObject({ state: "running", dialled: { connected: false } });
  await clock.pass(GRACE_MS);
  await until(() => stage.view(session).state === "crashed");
});

test("[RL12] after a restart the hub waits for an agent of dial as long as without one, and the agent can be stopped meanwhile", async () => {
  await using stage = await RelayStage.open();
  const { session, secret, url } = await stage.invite();
  let isAway = false;
  using dial = new ScriptedDial(() => (isAway ? "ws://127.0.0.1:1/" : url), secret);
  await stage.running(session);
  isAway = true;
  await stage.hub.stop();
  using clock = new Clock();
  await stage.start();
  expect([...clock.due(GRACE_MS), ...clock.due(5 * 60_000)]).toEqual([]);
  expect(stage.view(session)).toMatchObject({ state: "running", dialled: { connected: false } });
  await stage.engine.sessions.stop(session, person);
  expect(stage.view(session).state).toBe("stopped");
  const header = { ...bearer(secret), "x-signalbox-dial": dial.life };
  expect(await upgradeStatus(url, header)).toBe(410);
});
