import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";
import { openPanel } from "../panels.ts";
import type { SharedStage } from "../stage.ts";

/** What the agent of a session is started with. */
export function options(stage: SharedStage): void {
  test("[HB113] options are changed in a session's Info, and the agent has them after a restart", async () => {
    const { admin, folder, model } = stage.hub;
    const { id } = await admin.createSession({ folder, prompt: { text: "::say first" } });
    const window = await stage.open({ name: "Options" });
    const { page } = window;
    await page.goto(`${stage.url}/s/${id}`);
    await until(async () => (await admin.session(id)).summary.turns === 1);
    const info = await openPanel(page, "Info");
    await info.locator("[data-role=edit-options]").click();
    const form = page.getByRole("dialog", { name: "Session options" });
    const fill = (role: string, value: string) =>
      form.locator(`[data-role=${role}]`).last().fill(value);
    await fill("option-max-turns", "many");
    await form.locator("[data-role=save-options]").click();
    await form.getByRole("alert").getByText("whole number").waitFor();
    await fill("option-max-turns", "1");
    await fill("option-model", "haiku");
    await fill("option-system-prompt", "Answer like a sailor-3.");
    await form.locator("[data-role=add-option-variable]").click();
    await fill("option-variable-name", "SAILOR_KEY");
    await fill("option-variable-value", "s3cret-sailor");
    await form.locator("[data-role=save-options]").click();
    await form.waitFor({ state: "detached" });
    // The agent runs with its earlier options until it is restarted.
    await info.locator("[data-role=restart-session]").click();
    await info.locator("[data-role=restart-session]").waitFor({ state: "detached" });
    await until(async () => (await admin.session(id)).state === "running");
    await admin.send(id, {
      text: '::tool Bash {"command":"touch \\"$SAILOR_KEY\\""}\n::say never',
    });
    await page.locator("[data-ask][data-status=open]").waitFor();
    await window.allow();
    await until(() => existsSync(join(folder, "s3cret-sailor")));
    await page.getByText("maximum number of turns").first().waitFor();
    const last = JSON.stringify(model.requests.at(-1));
    expect(last).toContain("haiku");
    expect(last).toContain("Answer like a sailor-3.");
    expect(await admin.sessionOptions(id)).toMatchObject({
      maxTurns: 1,
      variables: { SAILOR_KEY: null },
    });

    // A secret is never shown again, and is kept.
    await info.locator("[data-role=edit-options]").click();
    const value = form.locator("[data-role=option-variable-value]");
    expect([await value.inputValue(), await value.getAttribute("type")]).toEqual(["", "password"]);
    await fill("option-max-turns", "");
    await form.locator("[data-role=save-options]").click();
    await until(async () => (await admin.sessionOptions(id)).maxTurns === undefined);
    expect(await admin.sessionOptions(id)).toMatchObject({ variables: { SAILOR_KEY: null } });
  });

  test("[HB114] a project remembers the options of a draft, and shows them in the next one", async () => {
    const { admin, folder, model } = stage.hub;
    const window = await stage.open({ name: "Defaults" });
    const { page } = window;
    const form = page.locator("[data-role=options-form]");
    const note = page.locator("[data-role=project-defaults]");
    const newest = async () =>
      (await admin.sessions()).toSorted((a, b) => b.createdAt - a.createdAt)[0]?.id ?? "";
    await window.draft();
    await page.locator("[data-role=more]").click();
    await form.locator("[data-role=option-model]").fill("haiku");
    await form.locator("[data-role=option-max-turns]").fill("9");
    await form.locator("[data-role=option-system-prompt]").fill("Answer like a baker-2.");
    await page.locator("[data-role=use-as-defaults]").click();
    await page.locator("[data-role=options-done]").click();
    await note.getByText("model haiku").waitFor();
    expect(await admin.projectOptions()).toMatchObject([
      { folder, options: { model: "haiku", maxTurns: 9 } },
    ]);

    // The next draft has them; what is removed there does not count for its session.
    await page.goto(stage.url);
    await window.draft();
    await note.getByText("model haiku").waitFor();
    await page.locator("[data-role=more]").click();
    await form.locator("[data-role=option-max-turns]").fill("");
    await page.locator("[data-role=options-done]").click();
    await page.locator("[data-role=first-prompt]").fill("::say bread");
    await page.locator("[data-role=start]").click();
    await window.reads("bread");
    const id = await newest();
    const chosen = await admin.sessionOptions(id);
    expect(chosen).toMatchObject({ model: "haiku", systemPrompt: { mode: "append" } });
    expect(chosen).not.toHaveProperty("maxTurns");
    expect(JSON.stringify(model.requests.at(-1))).toContain("Answer like a baker-2.");
    await admin.setProjectOptions({ folder, options: null });
  });
}
