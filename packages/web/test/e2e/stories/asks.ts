import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SharedStage, Window } from "../stage.ts";

/** What an agent asks, and the ways to answer. */
export function asks(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
    await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
  });
  afterAll(() => stage.rest());

  const question = {
    questions: [
      {
        question: "Which colour?",
        header: "Colour",
        multiSelect: false,
        options: [
          { label: "Red", description: "warm" },
          { label: "Blue", description: "cool" },
        ],
      },
    ],
  };

  test("[PG43] a question is answered by a choice, and the agent has it", async () => {
    await window.say(
      `Go.\n::tool AskUserQuestion ${JSON.stringify(question)}\n::say You took {{seen (Red|Blue|Green)}}.`,
    );
    await window.ask.getByText("Which colour?").waitFor();
    await window.conversation.getByText("It waits for your answer below").waitFor();
    expect(await window.conversation.locator("[data-kind=tool] .options").count()).toBe(0);
    await window.page.getByLabel("Blue").check();
    await window.page.locator("[data-role=answer]").click();
    await window.reads("You took Blue.");
  });

  test("a question is answered with words of one's own", async () => {
    await window.say(
      `Go.\n::tool AskUserQuestion ${JSON.stringify(question)}\n::say Mine: {{seen (a dark Green)}}.`,
    );
    await window.ask.waitFor();
    await window.page.getByLabel("Other", { exact: true }).check();
    const own = window.page.getByLabel("Your own answer to: Which colour?");
    await own.fill("a dark Green");
    await window.page.reload(); // on coming back its words stand there, and it takes no focus from anything
    await own.waitFor();
    expect(await own.evaluate((area) => area === document.activeElement)).toBe(false);
    await window.page.locator("[data-role=answer]").click();
    await window.reads("Mine: a dark Green.");
  });

  test("[PG47] what a choice looks like is seen on the tile before it is chosen", async () => {
    const { page } = window;
    const options = [
      { label: "Rows", description: "below each other", preview: "+--+\n|as rows|" },
      { label: "Columns", description: "side by side", preview: "+--+\n|as columns|" },
    ];
    const questions = [{ question: "Which layout?", header: "L", multiSelect: false, options }];
    const begun = page.url();
    await window.say(`Go.\n::tool AskUserQuestion ${JSON.stringify({ questions })}\n::say Laid.`);
    for (const look of ["as rows", "as columns"]) await window.ask.getByText(look).waitFor();
    await page.goto(stage.url);
    const previews = window.ask.locator("[data-role=preview]");
    await window.button("Preview: Columns").click();
    await previews.getByText("as columns").waitFor();
    expect(await previews.count()).toBe(1);
    expect(await window.ask.getByRole("radio", { checked: true }).count()).toBe(0);
    await window.button("Hide the preview: Columns").click();
    await previews.waitFor({ state: "detached" });
    await window.ask.getByRole("radio", { name: "Rows" }).check();
    await previews.getByText("as rows").waitFor();
    await window.settled("[data-role=answer]");
    await page.locator("[data-role=answer]").click();
    await page.goto(begun);
    await window.reads("Laid.");
  });

  test("[PG46] a subagent's request says which one asks: in its session, on the board, in the inbox", async () => {
    const { page } = window;
    const begun = page.url();
    const inner = '::tool Bash {"command":"touch explored.txt"}\n::say Found.';
    const task = { description: "Find the door", subagent_type: "Explore", prompt: inner };
    await window.say(`Go.\n::tool Task ${JSON.stringify(task)}\n::say Explored.`);
    const asker = window.ask.getByText("Explore agent: Find the door");
    await asker.waitFor();
    await page.goto(stage.url);
    await asker.waitFor();
    await page.goto(`${stage.url}/inbox`);
    await asker.waitFor();
    await window.ask.and(page.getByLabel("Run a command (Explore agent: Find the door)")).waitFor();
    await window.allow();
    await page.goto(begun);
    await window.reads("Explored.");
    expect(stage.hub.has("explored.txt")).toBe(true);
  });

  /** In plan mode the agent writes its plan into a file that it is told of, and then shows it. */
  function planned(plan: string, after: string): string {
    const write = `{"file_path":"{{seen plan at (\\\\S+)}}","content":${JSON.stringify(plan)}}`;
    return `Go.\n::tool Write ${write}\n::next\n::tool ExitPlanMode {}\n::say ${after}`;
  }

  test("[PG43] a plan is sent back with comments, and then approved", async () => {
    await window.page.getByLabel("Mode", { exact: true }).selectOption("plan");
    await window.say(planned("# The plan\n\n1. Do **it**.", "Back: {{seen (do it twice)}}."));
    await window.ask.getByRole("heading", { name: "The plan" }).waitFor();
    await window.conversation.getByText("It waits for your answer below").waitFor();
    expect(await window.conversation.getByRole("heading", { name: "The plan" }).count()).toBe(0);
    await window.page.locator("[data-role=deny-words]").fill("do it twice");
    await window.button("Send back with comments").click();
    await window.reads("Back: do it twice.");
    await window.say(planned("# The better plan", "Begun."));
    await window.ask.getByRole("heading", { name: "The better plan" }).waitFor();
    const mode = window.page.getByLabel("Change files without asking");
    await mode.hover(); // scrolls there
    await window.settled("[data-ask][data-status=open] fieldset");
    await mode.check();
    await window.button("Approve the plan: change files without asking").waitFor();
    await window.allow();
    await window.reads("Begun.");
    await window.page
      .getByLabel("Mode", { exact: true })
      .and(window.page.locator("select:has(option[value=acceptEdits]:checked)"))
      .waitFor();
    await window.page.getByLabel("Mode", { exact: true }).selectOption("default");
  });

  test("[PG4] of a command every hidden character is seen, and none is allowed while its end is folded", async () => {
    const hidden = `echo safe \u202e\u200b${" ".repeat(4000)}; touch hidden.txt`;
    const input = JSON.stringify({ command: hidden });
    await window.say(`Go.\n::tool Bash ${input}\n::say Over.`);
    await window.ask.waitFor();
    expect(await window.page.locator("[data-role=allow]").count()).toBe(0);
    await window.ask.getByLabel("U+202E right-to-left override").waitFor();
    await window.page.locator("[data-role=unfold]").click();
    await window.ask.getByText("; touch hidden.txt").waitFor();
    await window.button("Deny").first().click();
    await window.reads("Over.");
    expect(stage.hub.has("hidden.txt")).toBe(false);
  });

  test("[PG4] what is edited is seen whole and marked, too, before it can be allowed", async () => {
    const { page } = window;
    const command = `echo safe \u202e\u200b${"\n".repeat(60)}touch behind.txt`;
    await window.say(`Go.\n::tool Bash ${JSON.stringify({ command })}\n::say Looked.`);
    await window.ask.waitFor();
    await page.locator("[data-role=edit]").click();
    const editor = page.locator("[data-role=edited-input]");
    await editor.press("Control+Home");
    await editor.pressSequentially("true; ");
    const preview = page.locator("[data-role=would-run]");
    await preview.getByText("true; echo safe").waitFor();
    await preview.getByLabel("U+202E right-to-left override").waitFor();
    expect(await page.locator("[data-role=allow-edited]").count()).toBe(0);
    await page.getByText("2 hidden characters in it").waitFor();
    await page.locator("[data-role=without-hidden]").click();
    await page.getByText("hidden characters in it").waitFor({ state: "detached" });
    expect(await preview.locator(".hidden-mark").count()).toBe(0);
    expect(await page.locator("[data-role=allow-edited]").count()).toBe(0);
    await page.locator("[data-role=unfold]").click();
    await preview.getByText("touch behind.txt").waitFor();
    await page.locator("[data-role=allow-edited]").waitFor();
    await editor.press("Escape");
    await page.locator("[data-role=edit]").waitFor();
    await window.button("Deny").first().click();
    await window.reads("Looked.");
    expect(stage.hub.has("behind.txt")).toBe(false);
  });

  test("[PG5] Allow is deaf for half a second after it appeared", async () => {
    const { page } = window;
    await page.evaluate(() => {
      const times: number[] = [];
      Object.assign(globalThis, { armedAfter: times });
      new MutationObserver((_, observer) => {
        const allow = document.querySelector("[data-role=allow]");
        const deaf = allow?.getAttribute("aria-disabled") === "true";
        if (times.length === 0 && allow) times.push(performance.now());
        if (times.length === 1 && allow && !deaf) {
          times.push(performance.now());
          observer.disconnect();
        }
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await window.say('Go.\n::tool Bash {"command":"touch armed.txt"}\n::say Armed.');
    await window.allow();
    await window.reads("Armed.");
    const times = await page.evaluate(() => Reflect.get(globalThis, "armedAfter") as number[]);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(490); // timers may be a trifle early
  });

  test("[PG5] a key that is held down when a request appears allows nothing", async () => {
    const { page } = window;
    await window.say('Go.\n::tool Bash {"command":"touch held.txt"}\n::say Held.');
    await page.keyboard.down("Enter");
    await window.ask.waitFor();
    expect(
      await page.evaluate(() => document.activeElement?.getAttribute("data-role") ?? ""),
    ).not.toBe("allow");
    const allow = page.locator("[data-role=allow]");
    await allow.focus();
    for (let nth = 0; nth < 20; nth++) await page.keyboard.down("Enter"); // repeats, as a held key does
    await page.locator("[data-role=allow][aria-disabled=false]").waitFor();
    for (let nth = 0; nth < 20; nth++) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    expect(await window.ask.count()).toBe(1);
    expect(stage.hub.has("held.txt")).toBe(false);
    await page.keyboard.press("Enter"); // a press of one's own does
    await window.reads("Held.");
    expect(stage.hub.has("held.txt")).toBe(true);
  });

  test("[PG8] two windows see one ask; the one that is slower sees who answered", async () => {
    const other = await stage.open({ name: "The phone" });
    await other.page.goto(window.page.url());
    await window.say('Go.\n::tool Bash {"command":"touch once.txt"}\n::say Once.');
    await Promise.all([window.ask.waitFor(), other.ask.waitFor()]);
    await other.allow();
    await window.page.getByText("allowed by The phone").waitFor();
    await window.reads("Once.");
    expect(await window.ask.count()).toBe(0);
    expect(other.troubles()).toEqual([]);
    await other.context.close();
  });

  test("[PG3] a device that may not decide sees the request and no way to answer it", async () => {
    const viewer = await stage.open({ name: "The wall", role: "viewer" });
    await viewer.page.goto(window.page.url());
    await window.say('Go.\n::tool Bash {"command":"touch looked.txt"}\n::say Seen.');
    await viewer.ask.getByText("may look, not decide").waitFor();
    await viewer.ask.getByText("touch looked.txt").first().waitFor();
    expect(await viewer.page.locator("[data-role=allow], [data-role=new-session]").count()).toBe(0);
    await viewer.context.close();
    await window.ask.waitFor();
    await window.page.locator("[data-role=deny]").click();
    await window.reads("Seen.");
  });

  test("nothing went wrong in the page", () => expect(window.troubles()).toEqual([]));
}
