import { expect, setDefaultTimeout, test } from "bun:test";
import { lifecycle } from "./lifecycle.ts";
import { person, Rig } from "./rig.ts";

setDefaultTimeout(400_000); // 2.1.7 takes half a minute to start on a busy machine

test.each([
  ["stdio", "claude-code"],
  ["sdk", "claude-code"],
  ["sdk-url", "old"],
  ["stdio", "signalbox-agent"],
  ["sdk", "signalbox-agent"],
  ["sdk-url", "signalbox-agent"],
])("[DR1] a session's life on the driver %s with %s", async (driver, agent) => {
  await using rig = await Rig.open();
  await lifecycle(rig, {
    create: async (text) => (await rig.create({ driver, agent, prompt: { text } })).id,
    park: async (id) => void (await rig.engine.sessions.park(id, person)),
  });
});

test("[DR5] a session that is parked on one driver wakes on the other, and back, with its history whole; a driver that does not exist is refused", async () => {
  await using rig = await Rig.open();
  const { id } = await rig.create({ prompt: { text: "::say My name is Ada." } });
  await rig.turns(id, 1);
  for (const [nth, driver] of ["sdk", "stdio"].entries()) {
    await rig.engine.sessions.park(id, person);
    expect(await rig.engine.sessions.change(id, { driver }, person)).toMatchObject({ driver });
    await rig.send(id, `::say Now over ${driver}.`);
    await rig.turns(id, nth + 2);
    expect(rig.engine.sessions.get(id).run).toMatchObject({ driver });
    expect(rig.requests.at(-1)).toContain("My name is Ada.");
  }
  expect(await rig.texts(id)).toEqual(["My name is Ada.", "Now over sdk.", "Now over stdio."]);
  const refused = await rig.engine.sessions
    .change(id, { driver: "telepathy" }, person)
    .catch((why: { code: string }) => why.code);
  expect(refused).toBe("no-such-driver");
});

test("[DR6] a Claude Code that connects to Anthropic's endpoints alone is not started on sdk-url: the session says why, and what to use", async () => {
  await using rig = await Rig.open();
  const { id } = await rig.create({ driver: "sdk-url", prompt: { text: "::say hello" } });
  await rig.until(() => rig.engine.sessions.get(id).state === "crashed");
  const { problem, queue } = rig.engine.sessions.get(id);
  for (const words of ["2.1.325", "--sdk-url", "stdio", "signalbox dial"]) {
    expect(problem).toContain(words);
  }
  expect(rig.requests).toEqual([]);
  expect(queue).toHaveLength(1);
  await rig.engine.sessions.change(id, { driver: "stdio" }, person);
  await rig.engine.sessions.wake(id, person);
  await rig.turns(id, 1);
});
