import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";
import { openHubStage } from "@signalbox/testing/hub-stage";
import { openStage } from "@signalbox/testing/cli-stage";

setDefaultTimeout(180_000);

/** Gives a folder a hook that leaves a file beside it. */
function plantHook(folder: string, name = "canary"): string {
  const canary = join(folder, "..", name);
  const hooks = [{ hooks: [{ type: "command", command: `touch ${canary}` }] }];
  mkdirSync(join(folder, ".claude"), { recursive: true });
  const content = JSON.stringify({ hooks: { UserPromptSubmit: hooks } });
  writeFileSync(join(folder, ".claude/settings.json"), content);
  return canary;
}

describe("signalbox trust", () => {
  let hub: Awaited<ReturnType<typeof openHubStage>>;
  beforeAll(async () => {
    hub = await openHubStage();
    plantHook(hub.folder);
  });
  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
  });

  test("[TS13] without a terminal it shows what would run, says where to confirm, and trusts nothing", async () => {
    const { exit, stdout, stderr } = await hub.command(["trust", hub.folder]);
    expect(stdout).toContain("brings code that is off until you trust the folder:");
    expect(stdout).toContain("runs a hook: UserPromptSubmit: touch ");
    expect(stderr).toContain(
      "To trust the folder, open one of its sessions on an approver's device",
    );
    expect(exit).toBe(3);
    expect(await hub.admin.trustDecisions()).toEqual([]);
  });

  test("[TS13] in a terminal it trusts once an approver's device has confirmed that terminal, and not before", async () => {
    const { terminal, exited } = hub.commandOnTerminal(["trust", hub.folder]);
    await terminal.answer("y", "Trust this folder? (y/N) > ");
    await terminal.until("Confirm this terminal on an approver's device: ");
    expect(await hub.admin.trustDecisions()).toEqual([]);
    const [waiting] = await hub.admin.elevations();
    if (!waiting) throw new Error("no terminal waits");
    await hub.admin.decideElevation(waiting, true);
    expect(await exited).toBe(0);
    expect(await hub.admin.trustDecisions()).toMatchObject([{ decision: "trusted" }]);
    const { stdout, exit } = await hub.command(["trust", hub.folder]);
    expect(stdout).toContain("is trusted. Its code:");
    expect(exit).toBe(0);
  });

  test("[TS13] a terminal that is refused trusts nothing, and trust can be taken back without one", async () => {
    const { exit } = await hub.command(["trust", hub.folder, "--revoke"]);
    expect(exit).toBe(0);
    const { terminal, exited } = hub.commandOnTerminal(["trust", hub.folder]);
    await terminal.answer("y", "Trust this folder? (y/N) > ");
    await terminal.until("Confirm this terminal on an approver's device: ");
    const waiting = await until("it waits", async () => (await hub.admin.elevations())[0]);
    await hub.admin.decideElevation(waiting, false);
    expect(await exited).toBe(3);
    expect(await hub.admin.trustDecisions()).toMatchObject([{ decision: "off" }]);
  });
});

describe("signalbox run", () => {
  test("[TS14] without a terminal the folder's own code is off, and what it is is said", async () => {
    await using stage = await openStage("");
    const canary = plantHook(stage.folder);
    const { exit, stderr, stdout } = await stage.run(["::say hello"]);
    expect(exit).toBe(0);
    expect(stdout).toContain("hello");
    expect(stderr).toContain("brings code that would run:");
    expect(stderr).toContain("runs a hook: UserPromptSubmit");
    expect(existsSync(canary)).toBe(false);
  });

  test("[TS14] on a terminal it asks, and the answer holds for that run", async () => {
    await using stage = await openStage("");
    const canary = plantHook(stage.folder);
    for (const [answer, runs] of [
      ["n", false],
      ["y", true],
    ] as const) {
      rmSync(canary, { force: true });
      const { terminal, exited } = stage.runOnTerminal(["::say hello"]);
      await terminal.answer(answer, "Allow it to run? (y: once, a: always, N: no) > ");
      expect(await exited).toBe(0);
      expect(existsSync(canary)).toBe(runs);
    }
  });
});
