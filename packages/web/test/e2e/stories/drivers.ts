import { expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";
import type { SharedStage } from "../stage.ts";

/** What a device that does not approve is offered, and what an admin allows it. */
export function drivers(stage: SharedStage): void {
  test("[HH61] a driver is offered no permission that it may not choose", async () => {
    const offered = async (role: "driver" | "approver") => {
      const { page } = await stage.open({ name: `A ${role}`, role });
      await page.locator("[data-role=new-session]").click();
      await page.locator("[data-role=permission]").click();
      const choices = page.getByRole("menuitemradio");
      await choices.first().waitFor();
      const names = await choices.locator(".truncate").allTextContents();
      await page.keyboard.press("Escape");
      await page.locator("[data-role=more]").click();
      const form = page.locator("[data-role=options-form]");
      const canAdd = await form.getByRole("button", { name: "Add MCP server" }).isEnabled();
      await form.locator("[data-role=option-isolation]").click();
      await page.locator("[data-option=no-network]").waitFor();
      const isOff = (await page.locator("[data-option=off]").count()) > 0;
      return { names, canAdd, isOff };
    };
    const restricted = ["Ask first", "Plan", "Supervised"];
    expect(await offered("driver")).toEqual({ names: restricted, canAdd: false, isOff: false });
    const all = ["Ask first", "Auto-accept edits", "Plan", "Supervised", "Autonomous"];
    expect(await offered("approver")).toEqual({ names: all, canAdd: true, isOff: true });
  });

  test("[HH62] an admin sets the allowed folders in the settings; a driver reads them", async () => {
    const { admin, place, folder } = stage.hub;
    const { page } = await stage.open({ name: "The settings" });
    await page.goto(`${stage.url}/settings/trust`);
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
    await driver.page.goto(`${stage.url}/settings/trust`);
    const shown = driver.page.getByRole("region", { name: "Allowed folders" });
    await shown.getByText(folder, { exact: true }).first().waitFor();
    expect(await shown.locator("[data-role=allowed-folders]").count()).toBe(0);
    await save(place);
    await until(async () => (await set())?.[0] === place);
  });
}
