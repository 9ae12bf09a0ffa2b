import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, watch } from "node:fs";
import { findReportedFolder, tellFolder } from "../src/turn/folder-note.ts";
import { allowAll, openToolStage } from "./tool-stage.ts";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A child that has exited and was not yet reaped by init still answers.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function appears(folder: string, path: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, () => look());
    const look = () => {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    };
    look();
  });
}

const family = "(sleep 1000 & echo $! > grandchild; touch ready; wait) & echo $! > child; wait";

describe("Bash", () => {
  test("[RA9] the result contains the output, the exit code of a failure, or a note that there was no output", async () => {
    using stage = openToolStage({ answer: allowAll });
    expect((await stage.call("Bash", { command: "echo one; echo two >&2" })).text).toBe("one\ntwo");
    expect((await stage.call("Bash", { command: "echo oh; exit 3" })).text).toBe("Exit code 3\noh");
    expect((await stage.call("Bash", { command: "touch a" })).text).toBe(
      "(Bash completed with no output)",
    );
    expect((await stage.call("Bash", { command: "grep nothing a" })).isError).toBe(false);
  });

  test("[RA9] errors give line numbers of the command and show nothing else", async () => {
    using stage = openToolStage({ answer: allowAll });
    const said = async (command: string) => (await stage.call("Bash", { command })).text;
    expect(await said("cd 'no where'")).toContain("line 1: cd: no where:");
    expect(await said("true\ncd nowhere")).toContain("line 2: cd: nowhere:");
    expect(await said("echo )")).not.toContain("trap");
    expect(await said("set -e; false; echo no")).toBe("Exit code 1");
    expect(await said("-x")).toContain("-x: command not found");
  });

  test("[RA90] the model is told once when the folder of the shell has changed", async () => {
    using stage = openToolStage({ answer: allowAll, files: { "a/b/c.txt": "" } });
    const { thread, session } = stage;
    const told = () => {
      const before = thread.entries.length;
      tellFolder(thread);
      return thread.entries.slice(before).map(({ content }) => content[0]?.["text"]);
    };
    expect(told()).toEqual([]);
    await Promise.all([
      stage.call("Bash", { command: "cd a/b" }),
      // This command leaves the folder that the other one has changed to.
      stage.call("Bash", { command: "sleep 0.5; pwd" }),
    ]);
    expect(told().join()).toContain(`now work in ${stage.at("a/b")} (before: ${stage.folder})`);
    expect(told()).toEqual([]);
    expect(findReportedFolder(thread.entries, session)).toBe(stage.at("a/b"));
    // This is not allowed, so the shell returns to where it began.
    await stage.call("Bash", { command: "cd /" });
    expect(told().join()).toContain(`now work in ${stage.folder} (before: ${stage.at("a/b")})`);
    expect(findReportedFolder([], session)).toBe(stage.folder);
  });

  test("[RA10] a command that does not end is killed after its timeout, with its children's children", async () => {
    const environment = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" };
    using stage = openToolStage({ answer: allowAll, environment });
    const ended = await stage.call("Bash", { command: family, timeout: 3000 });
    expect(ended.text).toContain("Command timed out after 3s");
    const pids = ["child", "grandchild"].map((name) =>
      Number(readFileSync(stage.at(name), "utf8")),
    );
    await until(() => !pids.some(isAlive));
  });

  test("[RA10] where background commands are allowed, it continues there and can be stopped with its children's children", async () => {
    using stage = openToolStage({ answer: allowAll });
    const moved = await stage.call("Bash", { command: `echo begun; ${family}`, timeout: 3000 });
    expect(moved.text).toStartWith("begun\nCommand did not complete within its 3s timeout");
    const task_id = String(moved.structured["backgroundTaskId"]);
    const pid = Number(readFileSync(stage.at("grandchild"), "utf8"));
    expect(isAlive(pid)).toBe(true);
    stage.interrupt(); // This ends what the turn waits for, and nothing else.
    expect(isAlive(pid)).toBe(true);
    await stage.call("TaskStop", { task_id });
    stage.session.tasks.get(task_id)?.stop();
    await until(() => !isAlive(pid));
  });

  test("[RA36] a command that only waits is refused, and is not moved to the background after its timeout", async () => {
    using stage = openToolStage({ answer: allowAll });
    const bash = (command: string, more = {}) => stage.call("Bash", { command, ...more });
    expect((await bash("sleep 60")).text).toContain("Blocked: standalone sleep 60.");
    expect((await bash("sleep 60; ls")).text).toContain("Blocked: sleep 60 followed by: ls.");
    const brief = await bash("sleep 9", { timeout: 300 });
    expect(brief.text).toContain("Command timed out after 0s");
    expect(stage.session.tasks.running).toEqual([]);
  });

  test("[RA11] an interrupt ends a command and all its children, and reports it", async () => {
    using stage = openToolStage({ answer: allowAll });
    const called = stage.call("Bash", { command: family });
    await appears(stage.folder, stage.at("ready"));
    stage.interrupt();
    expect((await called).text).toContain("the call was running already when it was stopped");
    const pid = Number(readFileSync(stage.at("grandchild"), "utf8"));
    await until(() => !isAlive(pid));
  });

  test("[RA12] a flood of output is shortened for the model and stored in a file", async () => {
    using stage = openToolStage({ answer: allowAll });
    const flood = await stage.call("Bash", { command: "yes 0123456789 | head -c 50000000" });
    expect(flood.text.length).toBeLessThan(4000);
    const kept = String(flood.structured["persistedOutputPath"]);
    expect(flood.structured["persistedOutputSize"]).toBe(50_000_000);
    expect(existsSync(kept)).toBe(true);
    expect(String(flood.structured["stdout"]).length).toBe(30_000);
  });

  test("[RA13] cd works inside the allowed folders and is undone outside of them", async () => {
    using stage = openToolStage({ answer: allowAll, files: { "sub/a.txt": "" } });
    await stage.call("Bash", { command: "cd sub" });
    expect((await stage.call("Bash", { command: "pwd" })).text).toBe(stage.at("sub"));
    const left = await stage.call("Bash", { command: "cd /" });
    expect(left.text).toBe(`Shell cwd was reset to ${stage.folder}`);
    expect((await stage.call("Bash", { command: "pwd" })).text).toBe(stage.folder);
  });

  test("[RA14] a background command reports its end, and its output can be read and the command stopped", async () => {
    using stage = openToolStage({ answer: allowAll });
    const started = await stage.call("Bash", { command: "echo begun", run_in_background: true });
    const id = String(started.structured["backgroundTaskId"]);
    const output = await stage.call("TaskOutput", { task_id: id, block: true });
    expect(output.text).toContain("begun");
    await until(() => stage.woken.length === 1);
    expect(stage.woken[0]?.content).toContain("completed (exit code 0)");
    const endless = await stage.call("Bash", { command: "sleep 1000", run_in_background: true });
    const other = String(endless.structured["backgroundTaskId"]);
    const stopped = await stage.call("TaskStop", { task_id: other });
    expect(stopped.text).toContain("Successfully stopped task");
    await stage.session.tasks.get(other)?.ended;
    expect(stage.session.tasks.running).toEqual([]);
  });
});
