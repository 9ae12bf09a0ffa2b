import { expect, setDefaultTimeout, test } from "bun:test";
import { lifecycle } from "./lifecycle.ts";
import { person, Rig } from "./rig.ts";

setDefaultTimeout(180_000);

test.each(["stdio", "sdk"])("[DR1] a session's life on the driver %s", async (driver) => {
  await using rig = await Rig.open();
  await lifecycle(rig, {
    create: async (text) => (await rig.create({ driver, prompt: { text } })).id,
    park: async (id) => void (await rig.engine.park(id, person)),
  });
});

test("[DR5] a session that is parked on one driver wakes on the other, and back, with its history whole; a driver that does not exist is refused", async () => {
  await using rig = await Rig.open();
  const { id } = await rig.create({ prompt: { text: "::say My name is Ada." } });
  await rig.turns(id, 1);
  for (const [nth, driver] of ["sdk", "stdio"].entries()) {
    await rig.engine.park(id, person);
    expect(await rig.engine.change(id, { driver }, person)).toMatchObject({ driver });
    await rig.send(id, `::say Now over ${driver}.`);
    await rig.turns(id, nth + 2);
    expect(rig.engine.session(id).run).toMatchObject({ driver });
    expect(rig.requests.at(-1)).toContain("My name is Ada.");
  }
  expect(await rig.texts(id)).toEqual(["My name is Ada.", "Now over sdk.", "Now over stdio."]);
  const refused = await rig.engine
    .change(id, { driver: "telepathy" }, person)
    .catch((why: { code: string }) => why.code);
  expect(refused).toBe("no-such-driver");
});
