import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { refusal } from "./bench.ts";
import { person, EngineStage } from "@signalbox/testing/engine-stage";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

test("[HB60] [HB61] [HB62] [HB71] a worktree, an effort and a background command work with the real agent", async () => {
  await using stage = await EngineStage.open();
  const make = (options: object) => stage.create({ worktree: "fix", ...options });
  expect(await refusal(make({}))).toEqual({ status: 409, code: "no-worktree" });
  expect(stage.engine.sessions.list()).toEqual([]);

  const git = (...args: string[]) => Bun.spawnSync(["git", "-C", stage.folder, ...args]);
  git("init", "-q");
  git("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x");
  const nap = `600.${Math.floor(Math.random() * 1e9)}`;
  const script = `::tool Bash {"command":"pwd; sleep ${nap}","run_in_background":true}`;
  const text = `Go.\n${script}\n::say Begun.`;
  const { id, folder } = await make({ prompt: { text }, policy: "autonomous", confirmed: true });
  expect(folder).toBe(`${stage.folder}.worktrees/fix`);
  await stage.until(() => stage.engine.sessions.get(id).summary.status === "background");
  const call = (await stage.items(id)).find(({ kind }) => kind === "tool");
  let printed = "";
  await until(async () => {
    printed = (await stage.engine.history.readTaskOutput(id, call?.id ?? "")).text;
    return printed !== "";
  });
  expect(printed.trim()).toBe(folder);
  const prompt = (await stage.items(id)).find(({ kind }) => kind === "prompt");
  const none = stage.engine.history.readTaskOutput(id, prompt?.id ?? "");
  expect(await refusal(none)).toEqual({ status: 404, code: "no-output" });

  const set = (effort: unknown) =>
    stage.engine.sessions.request(id, "set_effort", { effort }, person);
  expect(await refusal(set("utmost"))).toEqual({ status: 422, code: "no-such-effort" });
  const effort = async () => {
    const said = await stage.engine.sessions.request(id, "get_settings", {}, person);
    return (said as { applied?: { effort?: string } }).applied?.effort;
  };
  await set("low");
  expect(await effort()).toBe("low");
  await set("high");
  await stage.engine.sessions.request(id, "set_model", { model: "sonnet" }, person);
  expect(stage.engine.sessions.get(id).options).toMatchObject({ effort: "high", model: "sonnet" });

  const stop = (fields: object) => stage.engine.sessions.request(id, "stop_task", fields, person);
  expect(await refusal(stop({}))).toEqual({ status: 422, code: "no-such-task" });
  expect(stage.engine.sessions.get(id).run?.capabilities["stopTasks"]).toBe(true);
  const [task] = stage.engine.sessions.get(id).summary.tasks;
  expect(task).toMatchObject({ kind: "local_bash", callId: call?.id, at: expect.any(Number) });
  await until(() => isAsleep(nap));
  await stop({ task_id: task?.taskId });
  await stage.until(() => stage.engine.sessions.get(id).summary.tasks.length === 0);
  const ended = (await stage.items(id)).find(({ kind }) => kind === "task");
  expect(ended).toMatchObject({ status: "stopped", endedAt: expect.any(Number) });
  await until(() => !isAsleep(nap));
  const told = (await stage.store.audit(0, 1000)).filter(({ what }) => what === "agent-told");
  expect(told.map(({ facts }) => facts["request"])).toContain("stop_task");

  await stage.engine.sessions.stop(id, person);
  await stage.engine.sessions.wake(id, person);
  await stage.until(() => stage.engine.sessions.get(id).state === "running");
  expect(await effort()).toBe("high");
  await set(null);
  expect(stage.engine.sessions.get(id).options.effort).toBeUndefined();
});

/** Whether a process sleeps for exactly this time: inside a PID namespace its id means nothing to us. */
function isAsleep(nap: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8") === `sleep\0${nap}\0`;
    } catch {
      return false; // no process, or gone meanwhile
    }
  });
}
