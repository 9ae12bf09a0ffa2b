import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "@signalbox/testing/until";
import type { SharedStage, Window } from "../stage.ts";

/** Messages with context that another program attached. */
export function context(stage: SharedStage): void {
  let window: Window;
  let id: string;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
  });
  afterAll(() => stage.rest());

  const attached = { title: "Slide 3", data: { view: "slides", selection: { element: "h1" } } };

  test("[PG72] context is a chip beside a message that waits, goes back to the composer with it, and opens above it when it was sent", async () => {
    const { page } = window;
    await window.begin("Begin.\n::say Stuck.\n::stall");
    id = page.url().split("/").at(-1) ?? "";
    await window.reads("Stuck.");
    const text = "Shorten it.\n::say Shortened.";
    await stage.hub.admin.send(id, { text, context: attached });
    await page.locator("[data-role=queued]", { hasText: "Slide 3" }).waitFor();
    await page.getByRole("button", { name: /^Remove/ }).click();
    const chip = page.locator("[data-role=draft-context]");
    await chip.getByText("Slide 3").waitFor();
    await page.locator("[data-role=send]").click();
    await page.locator("[data-role=queued]", { hasText: "Slide 3" }).waitFor();
    expect(await chip.count()).toBe(0);
    await page.locator("[data-role=interrupt]").click();
    await window.reads("Shortened.");
    const sent = window.conversation.locator("[data-role=context]");
    const title = sent.getByRole("button", { name: "Context: Slide 3" });
    expect(await sent.textContent()).toBe("Slide 3");
    await title.click();
    await sent.getByText('"view": "slides"').waitFor();
    expect(await title.getAttribute("aria-expanded")).toBe("true");
  });

  test("[PG72] a message that is edited and forked keeps its context, which can be removed", async () => {
    const { page } = window;
    const row = page.locator(".item-row", { hasText: "Shorten it." }).first();
    await row.hover();
    await row.locator(".item-menu").click();
    await page.getByRole("menuitem", { name: "Edit and fork" }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    const chip = page.locator("[data-role=draft-context]");
    await chip.getByText("Slide 3").waitFor();
    await window.say("Lengthen it.\n::say Lengthened.");
    await window.reads("Lengthened.");
    const fork = page.url().split("/").at(-1) ?? "";
    const { items } = await stage.hub.admin.items(fork);
    const prompts = items.flatMap((item) => (item.kind === "prompt" ? [item.context] : []));
    expect(prompts.at(-1)).toEqual(attached);

    await stage.hub.admin.send(fork, { text: "::say And again.", context: attached });
    await window.reads("And again.");
    const again = page.locator(".item-row", { hasText: "And again." }).first();
    await again.hover();
    await again.locator(".item-menu").click();
    await page.getByRole("menuitem", { name: "Edit and fork" }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(fork));
    await chip.getByRole("button", { name: "Remove the context Slide 3" }).click();
    await until(async () => (await chip.count()) === 0);
    expect(window.troubles()).toEqual([]);
  });
}
