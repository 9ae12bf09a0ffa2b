import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";
import { serious } from "../axe.ts";
import type { SharedStage, Window } from "../stage.ts";

/** Chooses an option of one of the settings' lists. */
async function choose({ page }: Window, role: string, option: string): Promise<void> {
  await page.locator(`[data-role=${role}]`).click();
  await page.locator(`[data-option="${option}"]`).click();
}

/** What is set on the page is what sessions get. */
export function settings(stage: SharedStage): void {
  afterAll(() => stage.rest());

  test("[PG63] [HB97] a profile's secret reaches the real program and no page", async () => {
    const { admin, folder } = stage.hub;
    const window = await stage.open({ name: "The accounts" });
    const { page } = window;
    const secret = `token-${crypto.randomUUID()}`;
    await page.goto(`${stage.url}/settings/accounts`);
    await page.locator("[data-role=add-profile]").click();
    await page.locator("[data-role=profile-name]").fill("story");
    await page.locator("[data-role=variable-name]").fill("STORY_TOKEN");
    await page.locator("[data-role=variable-value]").fill(secret);
    await page.locator("[data-role=variable-secret]").check();
    await page.locator("[data-role=save-profile]").click();
    await page.locator("[data-profile=story]").getByText("STORY_TOKEN").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Edit story" }).click();
    await page.getByPlaceholder("Stored secret").waitFor();
    expect(await page.content()).not.toContain(secret);
    expect((await admin.environments())["story"]).toEqual({ STORY_TOKEN: null });

    await page.goto(`${stage.url}/settings/agents`);
    await page.getByRole("button", { name: "Edit claude-code" }).click();
    await choose(window, "agent-environment", "story");
    await page.locator("[data-role=test-agent]").click();
    await page.locator("[data-role=agent-tested] [data-version=tested]").waitFor();
    expect(await serious(page)).toEqual([]);
    await page.locator("[data-role=save-agent]").click();
    await page.locator("[data-role=agent-form]").waitFor({ state: "detached" });

    const seen = join(folder, "seen.txt");
    const command = `printf %s "$STORY_TOKEN" > ${seen}`;
    await window.begin(`Go.\n::tool Bash ${JSON.stringify({ command })}\n::say Written.`);
    await window.allow();
    await window.reads("Written.");
    await until(() => existsSync(seen));
    expect(readFileSync(seen, "utf8")).toBe(secret);
    const agents = await admin.agents();
    await admin.setAgents(
      agents.map(({ found: _found, problem: _problem, environment: _none, ...agent }) => agent),
    );
    expect(window.troubles()).toEqual([]);
  });

  test("[PG63] [HB96] a request counts down to the time limit that was set, and stays a request", async () => {
    const { admin } = stage.hub;
    const window = await stage.open({ name: "The limits" });
    const { page } = window;
    await page.goto(`${stage.url}/settings/permissions`);
    await choose(window, "ask-limit", "30");
    await choose(window, "ask-limit-timeout", "deny-and-stop");
    const askLimit = { minutes: 30, onTimeout: "deny-and-stop" } as const;
    await until(async () => Bun.deepEquals((await admin.sessionDefaults()).askLimit, askLimit));
    await window.begin(`Go.\n::tool Bash {"command":"touch limited.txt"}\n::say Over.`);
    await window.ask.locator("[data-role=ask-countdown]").waitFor();
    const shown = await window.ask.locator("[data-role=ask-countdown]").innerText();
    expect(shown).toMatch(/denied and stopped in (?:30:00|29:\d\d)/);
    await window.allow();
    await window.reads("Over.");
    await admin.setSessionDefaults({ permission: "default", askLimit: null });
    expect(window.troubles()).toEqual([]);
  });

  test("[PG63] a search finds a setting and leads to its section; a driver is offered no more than it may", async () => {
    const window = await stage.open({ name: "The search", role: "driver" });
    const { page } = window;
    await page.goto(`${stage.url}/settings`);
    await page.locator("[data-role=settings-search]").fill("timeout");
    await page.getByRole("link", { name: /Time limit/ }).click();
    await page.waitForURL(/\/settings\/permissions$/);
    await page.getByText("Only devices with the approver role can change this.").waitFor();
    expect(await page.locator("[data-role=ask-limit]").isDisabled()).toBe(true);
    await page.goto(`${stage.url}/settings/agents`);
    await page.getByText("Only devices with the admin role can change this.").waitFor();
    expect(await page.locator("[data-role=add-agent]").count()).toBe(0);
    await page.goto(`${stage.url}/settings/accounts`);
    await page.getByText("Only devices with the admin role can see").waitFor();
    expect(await page.locator("[data-role=add-profile]").count()).toBe(0);
  });

  test("[RL70] the relay is turned on for the next start of the hub, by approvers alone", async () => {
    const { admin } = stage.hub;
    const driver = await stage.open({ name: "No approver", role: "driver" });
    await driver.page.goto(`${stage.url}/settings/relay`);
    const findSwitch = ({ page }: Window) => page.locator("[data-role=relay]");
    await findSwitch(driver).waitFor();
    expect(await findSwitch(driver).getAttribute("aria-disabled")).toBe("true");
    const window = await stage.open({ name: "The relay" });
    const { page } = window;
    await page.goto(`${stage.url}/settings/relay`);
    const state = page.locator("[data-role=relay-state]");
    await state.getByText("No agents can connect.").waitFor();
    await findSwitch(window).click();
    await state.getByText("Off until the hub is restarted.").waitFor();
    expect(await admin.relay()).toEqual({ on: true, running: false, startOption: false });
    await findSwitch(window).click();
    await state.getByText("No agents can connect.").waitFor();
    expect(await admin.relay()).toMatchObject({ on: false });
    expect(window.troubles()).toEqual([]);
  });

  test("[PG63] the audit log is read, filtered, verified and exported", async () => {
    const window = await stage.open({ name: "The log" });
    const { page } = window;
    await page.goto(`${stage.url}/settings/audit`);
    await page.locator("[data-role=audit-filter]").fill("device paired log");
    const entry = page.locator("[data-role=audit-entries] li", { hasText: "Device paired" });
    await entry.first().waitFor();
    await page.locator("[data-role=verify-audit]").click();
    await page.getByText(/^Verified, [\d,]+ entries/).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("[data-role=export-audit]").click(),
    ]);
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\n");
    const numbers = lines.map((line) => (JSON.parse(line) as { nth: number }).nth);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(window.troubles()).toEqual([]);
  });
}
