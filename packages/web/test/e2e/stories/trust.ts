import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";
import type { SharedStage, Window } from "../stage.ts";

/** A folder that brings code of its own: the question, and what comes of the answers. */
export function trust(stage: SharedStage): void {
  let window: Window;
  const settings = (command: string) => {
    mkdirSync(join(stage.hub.folder, ".claude"), { recursive: true });
    const hooks = [{ hooks: [{ type: "command", command }] }];
    const content = { hooks: { UserPromptSubmit: hooks }, env: { BASH_ENV: "./env.sh" } };
    writeFileSync(join(stage.hub.folder, ".claude/settings.json"), JSON.stringify(content));
  };
  const canary = () => join(stage.hub.folder, "../page-canary");
  const notice = (state: string) => window.page.locator(`[data-role=trust][data-state=${state}]`);
  beforeAll(async () => {
    settings(`touch ${canary()}`);
    window = await stage.open({ name: "The desk" });
  });
  afterAll(async () => {
    rmSync(join(stage.hub.folder, ".claude"), { recursive: true, force: true });
    await stage.hub.admin.revokeTrust({ folder: stage.hub.folder });
    await stage.rest();
  });

  test("[TS15] the page shows what would run, and trusts on a press that was meant, from the next run on", async () => {
    const { page } = window;
    await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
    await notice("off").waitFor();
    const findings = page.locator("[data-role=findings]");
    await findings.getByText(`UserPromptSubmit: touch ${canary()}`).waitFor();
    await findings.getByText("BASH_ENV=./env.sh").waitFor();
    await findings.getByText("This runs code with every command.").waitFor();
    expect(existsSync(canary())).toBe(false);
    const button = page.locator("[data-role=trust-folder]");
    expect(await button.evaluate((it) => it === document.activeElement)).toBe(false);
    await window.settled("[data-role=trust-folder]");
    await button.click();
    await notice("restart").waitFor();
    await page.locator("[data-role=restart]").click();
    await notice("restart").waitFor({ state: "detached" });
    await window.say("::say Again.");
    await window.reads("Again.");
    await until("the hook has run", () => existsSync(canary()));
  });

  test("[TS15] a change asks again and shows only what is new; it can be kept off", async () => {
    const { page } = window;
    const [session] = await stage.hub.admin.sessions();
    await stage.hub.admin.stop(session?.id ?? "");
    rmSync(canary());
    settings(`touch ${canary()} ${canary()}-2`);
    await window.say("::say Changed.");
    await window.reads("Changed.");
    await notice("changed").waitFor();
    const findings = page.locator("[data-role=findings]");
    await findings.getByText(`${canary()}-2`).waitFor();
    expect(await findings.getByText("BASH_ENV").count()).toBe(0);
    expect(existsSync(canary())).toBe(false);
    await window.settled("[data-role=keep-off]");
    await page.locator("[data-role=keep-off]").click();
    await notice("kept-off").waitFor();
    expect(window.troubles()).toEqual([]);
  });

  test("[TS15] who may not approve is shown what would run and cannot trust it; a new session says so beforehand", async () => {
    settings(`touch ${canary()}-3`);
    const driver = await stage.open({ name: "A driver", role: "driver" });
    const [session] = await stage.hub.admin.sessions();
    await stage.hub.admin.stop(session?.id ?? "");
    await stage.hub.admin.send(session?.id ?? "", { text: "::say Third." });
    await driver.page.goto(`${stage.url}/s/${session?.id}`);
    await driver.page.locator("[data-role=findings]").getByText(`${canary()}-3`).waitFor();
    await driver.page.getByText("Only a device with the approver role can decide this.").waitFor();
    expect(await driver.page.locator("[data-role=trust-folder]").count()).toBe(0);
    await window.draft();
    await window.page.locator("[data-role=folder-note]").waitFor();
  });
}
