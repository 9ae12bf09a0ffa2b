import { killAll } from "@signalbox/testing/kill-all";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { person, Rig } from "./rig.ts";

setDefaultTimeout(180_000);

const touch = (name: string) => `::tool Bash {"command":"touch ${name}"}`;

test("[HB56] an agent that is killed has crashed: its asks are cancelled, what they were about never happens, and it goes on with a person's word", async () => {
  await using rig = await Rig.open();
  const { id } = await rig.create({ prompt: { text: `::say before\n${touch("sentinel")}` } });
  const ask = await rig.ask(id);
  await rig.send(id, "::say after");
  killAll(rig.agents());
  await rig.until(() => rig.engine.sessions.get(id).state === "crashed");
  const view = rig.engine.sessions.get(id);
  expect(view).toMatchObject({ openAsks: 0, queue: [{ text: "::say after", status: "waiting" }] });
  expect(view.problem).toBeString();
  const late = await rig.allow(ask).catch((why: { code: string }) => why.code);
  expect(late).toBe("expired");
  expect((await rig.items(id)).at(-1)).toMatchObject({ kind: "turn-end", status: "crashed" });

  const { turns } = rig.engine.sessions.get(id).summary;
  await rig.engine.sessions.wake(id, person);
  await rig.turns(id, turns + 1);
  expect((await rig.texts(id)).at(-1)).toBe("after");
  expect(rig.has("sentinel")).toBe(false);
});

test("[HB57] a runner that is killed takes its runs along: they have crashed, asks are cancelled, no agent is left, and messages wait for a person", async () => {
  await using rig = await Rig.open({ runner: false });
  const script = join(import.meta.dir, "runner-process.ts");
  await using child = Bun.spawn([process.execPath, script], {
    stdin: new Blob([JSON.stringify(rig.processOptions)]),
    stdout: "ignore",
    stderr: "ignore",
  });
  await rig.until(() => rig.hasRunner);
  const { id } = await rig.create({ prompt: { text: `::say before\n${touch("sentinel")}` } });
  const ask = await rig.ask(id);
  await rig.send(id, "::say after");
  const killed = rig.agents();
  expect(killed.length).toBeGreaterThan(0); // a program that hands over to another is two
  child.kill("SIGKILL");
  await rig.until(() => !rig.hasRunner);
  expect(rig.engine.sessions.get(id).state).toBe("unreachable");

  await rig.startRunner();
  await rig.until(() => rig.engine.sessions.get(id).state === "crashed");
  await rig.until(() => rig.agents().length === 0);
  expect(rig.engine.sessions.get(id)).toMatchObject({
    openAsks: 0,
    queue: [{ status: "waiting" }],
  });
  const late = await rig.allow(ask).catch((why: { code: string }) => why.code);
  expect(late).toBe("expired");
  const { turns } = rig.engine.sessions.get(id).summary;
  await rig.engine.sessions.wake(id, person);
  await rig.turns(id, turns + 1);
  expect((await rig.texts(id)).at(-1)).toBe("after");
  expect(rig.has("sentinel")).toBe(false);
});
