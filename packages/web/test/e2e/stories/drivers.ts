import { expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";
import type { SharedStage } from "../stage.ts";

/** What a device that does not approve is offered, and what an admin allows it. */
export function drivers(stage: SharedStage): void {
  test("[HH61] a driver is offered no policy and no mode that it may not choose", async () => {
    const offered = async (role: "driver" | "approver") => {
      const { page } = await stage.open({ name: `A ${role}`, role });
      await page.locator("[data-role=new-session]").click();
      const choice = page.getByLabel(/^Policy/);
      await choice.waitFor();
      const policies = await choice.locator("option").allTextContents();
      await page.locator("[data-role=more] summary").click();
      const modes = await page.getByLabel("Begins in mode").locator("option").allTextContents();
      return { policies: policies.map((words) => words.split(":")[0]), modes: modes.join(" ") };
    };
    const driver = await offered("driver");
    expect(driver.policies).toEqual(["supervised", "plan", "default"]);
    expect(driver.modes).not.toContain("acceptEdits");
    const approver = await offered("approver");
    expect(approver.policies).toContain("autonomous");
    expect(approver.modes).toContain("acceptEdits");
  });

  test("[HH62] an admin sets the allowed folders in the settings; a driver reads them", async () => {
    const { admin, place, folder } = stage.hub;
    const { page } = await stage.open({ name: "The settings" });
    await page.goto(`${stage.url}/settings`);
    const part = page.getByRole("region", { name: "Allowed folders" });
    const field = part.locator("[data-role=allowed-folders]");
    const save = async (text: string) => {
      await field.fill(text);
      await part.locator("[data-role=save-allowed-folders]").click();
    };
    await until(async () => (await field.inputValue()) === place);
    await save(join(place, "nowhere"));
    await part.getByRole("alert").getByText("does not exist").waitFor();
    await save(`${folder}\n`);
    const set = async () => (await admin.allowedFolders())[0]?.folders;
    await until(async () => (await set())?.[0] === folder);

    const driver = await stage.open({ name: "A driver", role: "driver" });
    await driver.page.goto(`${stage.url}/settings`);
    const shown = driver.page.getByRole("region", { name: "Allowed folders" });
    await shown.getByText(folder, { exact: true }).first().waitFor();
    expect(await shown.locator("[data-role=allowed-folders]").count()).toBe(0);
    await save(place);
    await until(async () => (await set())?.[0] === place);
  });
}
