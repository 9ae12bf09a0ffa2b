import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SharedStage, Window } from "../stage.ts";

/** The files of a session's folder, in the panel beside the conversation. */
export function sessionFolder(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    const { folder } = stage.hub;
    mkdirSync(join(folder, "lib"), { recursive: true });
    writeFileSync(join(folder, "lib/shelf.ts"), "export const shelf = 1;\nconst needle = 2;\n");
    window = await stage.open({ name: "The desk" });
    await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
  });
  afterAll(() => stage.rest());

  test("[FI5] a key opens the files; a file is found by its name or contents, read, and mentioned", async () => {
    const { page } = window;
    await page.keyboard.press("Control+p");
    const field = page.locator("[data-role=file-search]:focus");
    await field.waitFor();
    await page.locator('[data-path="lib"]').click();
    await page.locator('[data-path="lib/shelf.ts"]').waitFor();
    await page.locator("[data-role=file-search]").fill("shelf");
    await page.locator('[data-path="lib/shelf.ts"]').click();
    const viewer = page.locator("[data-role=file-viewer]");
    await viewer.getByText("export const shelf = 1;").waitFor();
    await page.keyboard.press("Control+p");
    await page.locator("[data-role=files] select").selectOption("contents");
    await page.locator("[data-role=file-search]").fill("needle");
    await page.locator("[data-role=files]").getByText("const needle = 2;").click();
    await viewer.getByText("const needle = 2;").waitFor();
    await viewer.getByRole("button", { name: "Mention in my message" }).click();
    await page.locator("[data-role=composer]:focus").waitFor();
    expect(await page.getByText("lib/shelf.ts").count()).toBeGreaterThan(1);
  });
}
