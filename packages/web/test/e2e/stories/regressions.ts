import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SharedStage, Window } from "../stage.ts";

/** What an earlier page did wrong, and no other story would notice. */
export function regressions(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The old desk" });
    await window.begin("Begin.\n::flood 1500\n::say Ready.");
    await window.reads("Ready.");
    await window.shows("idle");
  });
  afterAll(() => stage.rest());

  test("[PG14] who has scrolled up and sends something sees what was sent", async () => {
    const { page } = window;
    await window.conversation.hover();
    await page.mouse.wheel(0, -3000);
    await window.button("Jump to latest").waitFor();
    await window.say("Seen at once.\n::say And answered.");
    await window.reads("And answered.");
    await window.vanish(window.button("Jump to latest"));
    await window.conversation.getByText("Seen at once.").first().waitFor();
  });

  test("Interrupt says that it sends the next queued message", async () => {
    const { page } = window;
    await window.say("Go.\n::say Busy.\n::stall");
    await window.reads("Busy.");
    const interrupt = page.locator("[data-role=interrupt]");
    await interrupt.waitFor();
    expect(await interrupt.innerText()).toBe("");
    await window.say("Next.\n::say Heard next.");
    await interrupt.getByText("Interrupt and send next").waitFor();
    await interrupt.click();
    await window.reads("Heard next.");
    await window.shows("idle");
  });

  test("Tasks lists a subagent while it runs", async () => {
    const inner = '::tool Bash {"command":"touch inner.txt"}\n::say Found.';
    const task = {
      description: "Look around",
      subagent_type: "Explore",
      run_in_background: false,
      prompt: inner,
    };
    await window.say(`Go.\n::tool Task ${JSON.stringify(task)}\n::say Explored.`);
    await window.ask.waitFor();
    const panel = await window.openPanel("Tasks");
    await panel.locator("[data-role=subagent]").getByText("Look around").waitFor();
    await window.deny();
    await window.reads("Explored.");
    await window.page.locator("[data-role=panel-toggle]").click();
  });

  test("formulas are set, and a list in which one item is a task keeps its bullets", async () => {
    const lines = "It is $x^2$ and \\(y^2\\).\n\n- plain\n- [x] a task";
    await window.say(`Go.\n::say <<END\n${lines}\nEND`);
    await window.conversation.locator(".formula math").nth(1).waitFor();
    const plain = window.conversation.getByRole("listitem").filter({ hasText: "plain" }).last();
    const style = await plain.evaluate((item) => getComputedStyle(item).listStyleType);
    expect(style).toBe("disc");
  });

  test("[PG63] a section of the settings scrolls in one place", async () => {
    const { page } = window;
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.goto(`${stage.url}/settings/about`);
    await page.getByText("Check database").waitFor();
    const scrolling = await page.evaluate(() =>
      [...document.querySelectorAll("main, main *")]
        .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
        .filter((element) => element.scrollHeight > element.clientHeight + 1)
        .map((element) => element.className),
    );
    expect(scrolling.length).toBeLessThanOrEqual(1);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("nothing went wrong in the page", () => expect(window.troubles()).toEqual([]));
}
