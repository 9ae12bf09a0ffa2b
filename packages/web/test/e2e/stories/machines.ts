import { afterAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { serious } from "../axe.ts";
import type { SharedStage, Window } from "../stage.ts";

/** What the page says to do on the other machine. */
export interface Directions {
  readonly command: string;
  readonly code: string;
}

/** Presses "Add a machine" in the settings, and gives what the page then says. */
export async function askToAdd(stage: SharedStage, { page }: Window): Promise<Directions> {
  await page.goto(`${new URL(page.url()).origin}/settings/machines`);
  await page.locator("[data-role=add-machine]").click();
  const command = await page.locator("[data-role=machine-command]").innerText();
  const code = await page.locator("[data-role=machine-code]").innerText();
  stage.hub.secrets.push(code);
  return { command, code };
}

/** Begins a session on a machine from the draft, in a folder that is found there step by step. */
export async function beginOn(
  { page }: Window,
  machine: string,
  folder: string,
  prompt: string,
): Promise<void> {
  await page.locator("[data-role=new-session]").click();
  await page.locator("[data-role=machine-choice]").click();
  await page.getByRole("menuitemradio", { name: machine }).click();
  await page.locator("[data-role=folder-chip]").click();
  await page.locator("[data-role=folder]").fill(join(folder, ".."));
  const name = folder.split("/").at(-1) ?? "";
  const browse = page.getByRole("button", { name: "Browse…" });
  if (await browse.isVisible()) await browse.click();
  await page.getByRole("button", { name: `${name}/` }).click();
  await page.locator("[data-role=folder]").press("Enter");
  await page.locator("[data-role=first-prompt]").fill(prompt);
  await page.locator("[data-role=start]").click();
  await page.waitForURL(/\/s\//);
}

export function machines(stage: SharedStage): void {
  afterAll(() => stage.rest());

  test("[MC2] [MC3] [MC4] [MC5] a machine is added in the settings, chosen for a session, shown with it, and removed", async () => {
    const { hub } = stage;
    const window = await stage.open();
    const { page } = window;
    const { command, code } = await askToAdd(stage, window);
    expect(command).toBe(`npx signalbox runner --hub ${new URL(page.url()).origin}`);
    expect(await serious(page)).toEqual([]);
    const data = join(hub.place, "attic");
    const args = ["runner", "--hub", hub.url, "--name", "attic", "--data", data];
    const runner = hub.start(args, { stdin: `${code}\n` });
    await page.getByText("attic was added.").waitFor();
    const row = page.locator("[data-role=machines] li", { hasText: "attic" });
    await row.getByText("Online").waitFor();
    const { version } = await hub.admin.hub();
    const facts = row.locator("[data-role=machine-facts]", { hasText: `Signalbox ${version}` });
    await facts.waitFor();
    await page.reload(); // shown at once, not when the next report comes
    await facts.getByText(/Load \d+\.\d\d on \d+ core/).waitFor();
    expect((await hub.command(["machines"])).stdout).toMatch(
      new RegExp(`attic .*load \\d+\\.\\d\\d on \\d+ cores? +Signalbox ${version}`),
    );

    const folder = join(hub.place, "on-both");
    mkdirSync(folder);
    await hub.admin.createSession({ folder, title: "Near" });
    await beginOn(window, "attic", folder, "Hello.\n::say From the attic.");
    await window.reads("From the attic.");
    await page.locator(".page-head [data-role=machine]", { hasText: "attic" }).waitFor();
    await page.goto(`${new URL(page.url()).origin}/`);
    const projects = page.locator("[data-role=sidebar] section", { hasText: "on-both" });
    await projects.nth(1).waitFor();
    expect(await projects.count()).toBe(2);
    expect(await projects.locator("[data-role=machine]", { hasText: "attic" }).count()).toBe(1);
    expect(await serious(page)).toEqual([]);

    await page.goto(`${new URL(page.url()).origin}/settings/machines`);
    await row.locator("summary", { hasText: "1 session" }).click();
    await row.getByRole("link", { name: "Hello." }).waitFor();
    await row.getByRole("button", { name: "Remove attic" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove attic" }).click();
    await row.waitFor({ state: "detached" });
    expect(await runner.exited).toBe(3);
    expect(window.troubles()).toEqual([]);
  });
}
