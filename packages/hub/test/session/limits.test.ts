import { expect, setDefaultTimeout, test } from "bun:test";
import { Bench, desk, refusal } from "./bench.ts";

setDefaultTimeout(180_000);

test("[HH50] a hub has a maximum number of sessions, and deleting one makes room", async () => {
  await using bench = await Bench.open({ maxSessions: 2 });
  const make = () =>
    bench.engine.sessions.create(crypto.randomUUID(), { folder: bench.folder }, desk);
  const first = await make();
  await make();
  expect(await refusal(make())).toMatchObject({ status: 409, code: "too-many-sessions" });
  await bench.engine.sessions.delete(first.id, desk);
  await make();
  expect(bench.engine.sessions.list()).toHaveLength(2);
});

test("[HH50] at most a thousand messages wait for an agent", async () => {
  await using bench = await Bench.open();
  const { id } = await bench.engine.sessions.create(
    crypto.randomUUID(),
    { folder: bench.folder },
    desk,
  );
  const send = (nth: number) =>
    bench.engine.prompts.send(id, crypto.randomUUID(), { text: `message ${nth}` }, desk);
  await Promise.all(Array.from({ length: 1000 }, (_, nth) => send(nth)));
  expect(await refusal(send(1001))).toMatchObject({ status: 409, code: "too-many-prompts" });
  const [first] = bench.engine.sessions.get(id).queue;
  await bench.engine.prompts.withdraw(id, first?.id ?? "");
  await send(1002);
});
