import { killAll } from "@signalbox/testing/kill-all";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { person, EngineStage } from "@signalbox/testing/engine-stage";

setDefaultTimeout(180_000);

const touch = (name: string) => `::tool Bash {"command":"touch ${name}"}`;

test("[HB56] an agent that is killed has crashed: its asks are cancelled, their calls never run, and the next message of a person starts it again", async () => {
  await using stage = await EngineStage.open();
  const { id } = await stage.create({ prompt: { text: `::say before\n${touch("sentinel")}` } });
  const ask = await stage.ask(id);
  await stage.send(id, "::say after");
  killAll(stage.agents());
  await stage.until(() => stage.engine.sessions.get(id).state === "crashed");
  const view = stage.engine.sessions.get(id);
  expect(view).toMatchObject({ openAsks: 0, queue: [{ text: "::say after", status: "waiting" }] });
  expect(view.problem).toBeString();
  const late = await stage.allow(ask).catch((why: { code: string }) => why.code);
  expect(late).toBe("expired");
  expect((await stage.items(id)).at(-1)).toMatchObject({ kind: "turn-end", status: "crashed" });

  const { turns } = stage.engine.sessions.get(id).summary;
  await stage.engine.sessions.wake(id, person);
  await stage.turns(id, turns + 1);
  expect((await stage.texts(id)).at(-1)).toBe("after");
  expect(stage.has("sentinel")).toBe(false);
});

test("[HB57] the runs of a runner that is killed have crashed: asks are cancelled, no agent is left, and messages wait for a person", async () => {
  await using stage = await EngineStage.open({ runner: false });
  const script = join(import.meta.dir, "runner-process.ts");
  await using child = Bun.spawn([process.execPath, script], {
    stdin: new Blob([JSON.stringify(stage.processOptions)]),
    stdout: "ignore",
    stderr: "ignore",
  });
  await stage.until(() => stage.hasRunner);
  const { id } = await stage.create({ prompt: { text: `::say before\n${touch("sentinel")}` } });
  const ask = await stage.ask(id);
  await stage.send(id, "::say after");
  const killed = stage.agents();
  expect(killed.length).toBeGreaterThan(0); // a program that hands over to another is two
  child.kill("SIGKILL");
  await stage.until(() => !stage.hasRunner);
  expect(stage.engine.sessions.get(id).state).toBe("unreachable");

  await stage.startRunner();
  await stage.until(() => stage.engine.sessions.get(id).state === "crashed");
  await stage.until(() => stage.agents().length === 0);
  expect(stage.engine.sessions.get(id)).toMatchObject({
    openAsks: 0,
    queue: [{ status: "waiting" }],
  });
  const late = await stage.allow(ask).catch((why: { code: string }) => why.code);
  expect(late).toBe("expired");
  const { turns } = stage.engine.sessions.get(id).summary;
  await stage.engine.sessions.wake(id, person);
  await stage.turns(id, turns + 1);
  expect((await stage.texts(id)).at(-1)).toBe("after");
  expect(stage.has("sentinel")).toBe(false);
});
