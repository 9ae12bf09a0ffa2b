import { expect, setDefaultTimeout, test } from "bun:test";
import { runLifecycle } from "@signalbox/testing/session-lifecycle";
import { join } from "node:path";
import { person, EngineStage } from "@signalbox/testing/engine-stage";
import { repository } from "@signalbox/testing/programs";

setDefaultTimeout(400_000); // 2.1.7 takes half a minute to start on a busy machine

test.each([
  ["stdio", "claude-code"],
  ["sdk", "claude-code"],
  ["sdk-url", "old"],
  ["stdio", "signalbox-agent"],
  ["sdk", "signalbox-agent"],
  ["sdk-url", "signalbox-agent"],
])("[DR1] a session behaves on the driver %s with %s as on every driver", async (driver, agent) => {
  await using stage = await EngineStage.open();
  await runLifecycle(stage, {
    create: async (text) => (await stage.create({ driver, agent, prompt: { text } })).id,
    park: async (id) => void (await stage.engine.sessions.park(id, person)),
  });
});

test("[DR5] a session that is parked on one driver wakes on the other, and back, with its whole history; an unknown driver is refused", async () => {
  await using stage = await EngineStage.open();
  const { id } = await stage.create({ prompt: { text: "::say My name is Ada." } });
  await stage.turns(id, 1);
  for (const [nth, driver] of ["sdk", "stdio"].entries()) {
    await stage.engine.sessions.park(id, person);
    expect(await stage.engine.sessions.change(id, { driver }, person)).toMatchObject({ driver });
    await stage.send(id, `::say Now over ${driver}.`);
    await stage.turns(id, nth + 2);
    expect(stage.engine.sessions.get(id).run).toMatchObject({ driver });
    expect(stage.requests.at(-1)).toContain("My name is Ada.");
  }
  expect(await stage.texts(id)).toEqual(["My name is Ada.", "Now over sdk.", "Now over stdio."]);
  const refused = await stage.engine.sessions
    .change(id, { driver: "telepathy" }, person)
    .catch((why: { code: string }) => why.code);
  expect(refused).toBe("no-such-driver");
});

test("[DR6] a Claude Code that connects only to Anthropic's endpoints is not started on sdk-url, and the session says why and what to use", async () => {
  await using stage = await EngineStage.open();
  const { id } = await stage.create({ driver: "sdk-url", prompt: { text: "::say hello" } });
  await stage.until(() => stage.engine.sessions.get(id).state === "crashed");
  const { problem, queue } = stage.engine.sessions.get(id);
  for (const words of ["2.1.325", "--sdk-url", "stdio", "signalbox dial"]) {
    expect(problem).toContain(words);
  }
  expect(stage.requests).toEqual([]);
  expect(queue).toHaveLength(1);
  await stage.engine.sessions.change(id, { driver: "stdio" }, person);
  await stage.engine.sessions.wake(id, person);
  await stage.turns(id, 1);
});

test("[DR15] a driver of another package runs sessions like any other, and the hub says which drivers a machine has and what they can do", async () => {
  await using stage = await EngineStage.open({ runner: false });
  await stage.startRunner({
    driverModules: [join(repository, "examples/outside-driver/driver.ts")],
  });
  const { id } = await stage.create({ driver: "echo", prompt: { text: "Hello" } });
  await stage.turns(id, 1);
  await stage.engine.sessions.park(id, person);
  await stage.send(id, "Again");
  await stage.turns(id, 2);
  expect(await stage.texts(id)).toEqual(["You said: Hello", "You said: Again"]);
  const { driver, capabilities } = stage.engine.sessions.get(id).run ?? {};
  expect(driver).toBe("echo");
  expect(capabilities).toMatchObject({ permissions: false, resume: true });
  const [machine] = stage.engine.runners.list();
  const names = machine?.drivers?.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["stdio", "sdk", "sdk-url", "echo"]));
  const refused = await stage
    .create({ driver: "telepathy" })
    .catch((why: { code: string; message: string }) => why);
  expect(refused).toMatchObject({
    code: "no-such-driver",
    message: expect.stringContaining("stdio, sdk, sdk-url, pty, echo"),
  });
});
