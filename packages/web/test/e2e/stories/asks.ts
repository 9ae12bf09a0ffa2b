import { playsAll } from "../plays-all.ts";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "@signalbox/testing/until";
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

  /** On the row of the call that waits for an answer. */
  const needsYou = () =>
    window.conversation.locator("[data-role=ask-tag]", { hasText: "Needs you" });
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
    await needsYou().waitFor();
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

  test.if(playsAll)(
    "[PG47] what a choice looks like is seen on the tile before it is chosen",
    async () => {
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
      await page.locator("[data-role=open-ask]").click();
      const previews = window.ask.locator("[data-role=preview]");
      await window.button("Preview: Columns").click();
      await previews.getByText("as columns").waitFor();
      expect(await previews.count()).toBe(1);
      expect(await window.ask.getByRole("radio", { checked: true }).count()).toBe(0);
      await window.button("Hide preview: Columns").click();
      await previews.waitFor({ state: "detached" });
      await window.ask.getByRole("radio", { name: "Rows" }).check();
      await previews.getByText("as rows").waitFor();
      await window.settled("[data-role=answer]");
      await page.locator("[data-role=answer]").click();
      await window.vanish(window.ask); // who leaves before the answer has gone out takes it along
      await page.goto(begun);
      await window.reads("Laid.");
    },
  );

  test.if(playsAll)(
    "[PG46] a subagent's request says which one asks: in its session, on the board, in the inbox",
    async () => {
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
      await window.ask
        .and(page.getByLabel("Wants to run touch explored.txt (Explore agent: Find the door)"))
        .waitFor();
      await window.allow();
      await window.vanish(asker); // who leaves before the answer has gone out takes it along
      await page.goto(begun);
      await window.reads("Explored.");
      // The main agent says so without waiting for the subagent, whose command runs once it is allowed.
      await until("the subagent's command has run", () => stage.hub.has("explored.txt"));
    },
  );

  /** In plan mode the agent writes its plan into a file that it is told of, and then shows it. */
  function planned(plan: string, after: string): string {
    const write = `{"file_path":"{{seen plan at (\\\\S+)}}","content":${JSON.stringify(plan)}}`;
    return `Go.\n::tool Write ${write}\n::next\n::tool ExitPlanMode {}\n::say ${after}`;
  }

  test("[PG43] a plan is sent back with comments, and then approved", async () => {
    await window.choose("permission", /^Plan/);
    await window.permits("plan");
    await window.say(planned("# The plan\n\n1. Do **it**.", "Back: {{seen (do it twice)}}."));
    const panel = window.page.locator(".side-panel");
    await panel.getByRole("heading", { name: "The plan" }).waitFor();
    await needsYou().waitFor();
    expect(await window.conversation.getByRole("heading", { name: "The plan" }).count()).toBe(0);
    await window.openDeny();
    await window.page.locator("[data-role=deny-words]").fill("do it twice");
    await window.button("Request changes").waitFor();
    await window.deny();
    await window.reads("Back: do it twice.");
    await window.say(planned("# The better plan", "Begun."));
    await panel.getByRole("heading", { name: "The better plan" }).waitFor();
    const mode = window.page.getByLabel("Auto-accept edits");
    await window.tick(mode, true);
    await window.button("Approve plan").waitFor();
    await window.allow();
    await window.reads("Begun.");
    await window.permits("accept-edits");
    await window.choose("permission", /^Ask first/);
    await window.permits("default");
  });

  test("[PG71] a plan opens the panel once, is read there or at full width, and is commented on and edited before it is approved", async () => {
    const { page } = window;
    const panel = page.locator(".side-panel");
    await window.choose("permission", /^Plan/);
    await window.permits("plan");
    await window.vanish(panel); // It was open for the plan before this one alone.
    const plan = "# Move it\n\n1. Move it quickly.\n2. Stop.";
    await window.say(planned(plan, "Heard: {{seen (Move it with great care)}}."));
    await panel.getByRole("heading", { name: "Move it" }).waitFor();
    expect(await window.ask.getByRole("heading", { name: "Move it" }).count()).toBe(0);

    await panel.locator(".plan-part").nth(2).hover();
    await panel.locator("[data-role=comment-plan]").nth(2).click();
    await page.locator("[data-role=plan-comment]").fill("And then what?");
    await page.getByRole("button", { name: "Add comment" }).click();
    await panel.getByText("1 comment").waitFor();
    await panel.locator("[data-role=plan-wide]").click();
    await page.getByRole("dialog").getByText("And then what?").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await panel.locator("[data-role=edit-plan]").click();
    const edited = plan.replace("quickly", "with great care");
    await page.locator("[data-role=edited-plan]").fill(edited);
    await page.keyboard.press("Escape"); // closes the field, and keeps what was typed
    await panel.getByText("Move it with great care.").waitFor();
    await panel.getByText("And then what?").waitFor();

    // Closed by the person, it stays closed until it is asked for; until then nothing can be approved.
    await page.locator("[data-role=panel-toggle]").click();
    await window.vanish(panel);
    await window.ask.locator("[data-role=unfold]").waitFor();
    await window.ask.locator("[data-role=review-plan]").click();
    await panel.getByText("Move it with great care.").waitFor();
    await window.button("Approve edited plan").waitFor();
    await window.allow();
    await window.reads("Heard: Move it with great care.");
    await window.vanish(panel);
    await window.conversation
      .getByRole("button", { name: /^Worked for/ })
      .last()
      .click();
    await window.conversation.getByText("Approved with changes").first().waitFor();
    await window.choose("permission", /^Ask first/);
    await window.permits("default");
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
    await window.deny();
    await window.reads("Over.");
    expect(stage.hub.has("hidden.txt")).toBe(false);
  });

  test.if(playsAll)(
    "[PG4] a long text scrolls in its box: Deny stays in reach, and Allow comes with its end",
    async () => {
      const { page } = window;
      const lines = Array.from({ length: 3000 }, (_, nth) => `line ${nth}`).join("\n");
      const input = JSON.stringify({ file_path: "long.txt", content: lines });
      await window.say(`Go.\n::tool Write ${input}\n::say Kept out.`);
      await window.ask.waitFor();
      await page.locator("[data-role=unfold]").click();
      const box = window.ask.getByRole("group", { name: "content" });
      await box.waitFor();
      const heights = await box.evaluate((element) => [element.scrollHeight, element.clientHeight]);
      expect(heights[0]).toBeGreaterThan(10 * (heights[1] ?? 0));
      await page.locator("[data-role=to-end]").waitFor();
      expect(await page.locator("[data-role=allow]").count()).toBe(0);
      const card = await window.ask.boundingBox();
      expect(card?.height).toBeLessThan(800);
      await box.focus();
      await page.keyboard.press("End");
      await page.locator("[data-role=allow]").waitFor();
      await window.deny();
      await window.reads("Kept out.");
      expect(stage.hub.has("long.txt")).toBe(false);
    },
  );

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
    await page.getByText("2 hidden characters, marked below").waitFor();
    await page.locator("[data-role=without-hidden]").click();
    await page.getByText("hidden characters, marked below").waitFor({ state: "detached" });
    expect(await preview.locator(".hidden-mark").count()).toBe(0);
    expect(await page.locator("[data-role=allow-edited]").count()).toBe(0);
    await page.locator("[data-role=unfold]").click();
    await preview.getByText("touch behind.txt").waitFor();
    await page.locator("[data-role=allow-edited]").waitFor();
    await editor.press("Escape");
    await page.locator("[data-role=edit]").waitFor();
    await window.deny();
    await window.reads("Looked.");
    expect(stage.hub.has("behind.txt")).toBe(false);
  });

  test.if(playsAll)(
    "[PG4] a command in letters that run from right to left stands in the order in which it runs",
    async () => {
      const { page } = window;
      const command = "cat \u05d0 > \u05d1 ; cp \u05d2 \u05d3";
      await window.say(`Go.\n::tool Bash ${JSON.stringify({ command })}\n::say Ordered.`);
      await window.ask.waitFor();
      /** The command's characters as they are seen, from left to right, wherever it stands. */
      const seen = () =>
        page.evaluate((wanted) => {
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const found: string[] = [];
          while (walker.nextNode()) {
            const text = walker.currentNode as Text;
            const at = text.data.indexOf(wanted);
            const inside = text.parentElement;
            if (at === -1 || !inside?.checkVisibility() || inside.closest("[data-kind=prompt]")) {
              continue;
            }
            const placed = wanted.split("").map((character, nth) => {
              const range = document.createRange();
              range.setStart(text, at + nth);
              range.setEnd(text, at + nth + 1);
              return { character, left: range.getBoundingClientRect().left };
            });
            placed.sort((a, b) => a.left - b.left);
            found.push(placed.map(({ character }) => character).join(""));
          }
          return found;
        }, command);
      const whole = await seen();
      expect(whole.length).toBeGreaterThanOrEqual(3); // what is asked, on Allow, and in the conversation
      expect(new Set(whole)).toEqual(new Set([command]));
      await page.locator("[data-role=edit]").click();
      await page.locator("[data-role=edited-input]").press("End");
      await page.keyboard.type(" ");
      await page.locator("[data-role=would-run]").getByText(command).waitFor();
      expect(new Set(await seen())).toEqual(new Set([command]));
      await window.button("Discard changes").click();
      await window.deny();
      await window.reads("Ordered.");
    },
  );

  test.if(playsAll)(
    "[PG5] what is granted besides stands in the editor, too, and on its button",
    async () => {
      const { page } = window;
      await window.say('Go.\n::tool Bash {"command":"touch ticked.txt"}\n::say Ticked.');
      await window.ask.waitFor();
      await page.locator("[data-role=edit]").click();
      const lasting = page.getByLabel(/^Edit files without asking/);
      await window.tick(lasting, true);
      await page.locator("[data-role=edited-input]").fill("touch unticked.txt");
      const allow = page.locator("[data-role=allow-edited]", { hasText: "and remember" });
      await allow.waitFor();
      await window.tick(lasting, false);
      await allow.waitFor({ state: "detached" });
      await window.allow("allow-edited");
      await window.reads("Ticked.");
      expect(stage.hub.has("unticked.txt")).toBe(true);
      await window.permits("default");
    },
  );

  test("[PG5] Always allow shows the agent's own rules with their scope, and is deaf at first like Allow", async () => {
    const { page } = window;
    await window.say('Go.\n::tool Bash {"command":"touch always.txt"}\n::say Always.');
    await window.ask.waitFor();
    await page.locator("[data-role=always-allow]").click();
    const rules = page.locator("[data-role=always-allow-rule]");
    const rule = rules.filter({ hasText: "Edit files without asking (acceptEdits mode)" });
    await rule.getByText("in this session").waitFor();
    await window.settled("[data-role=always-allow-rule]");
    await rule.click();
    await window.reads("Always.");
    expect(stage.hub.has("always.txt")).toBe(true);
    await window.permits("accept-edits");
    await window.choose("permission", /^Ask first/);
    await window.permits("default");
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
    await window.page.getByText("Allowed by The phone").first().waitFor();
    await window.reads("Once.");
    await window.vanish(window.ask);
    expect(other.troubles()).toEqual([]);
    await other.context.close();
  });

  test("[PG3] a device that may not decide sees the request and no way to answer it", async () => {
    const viewer = await stage.open({ name: "The wall", role: "viewer" });
    await viewer.page.goto(window.page.url());
    await window.say('Go.\n::tool Bash {"command":"touch looked.txt"}\n::say Seen.');
    await viewer.ask.getByText("is a viewer and can't answer requests").waitFor();
    await viewer.ask.getByText("touch looked.txt").first().waitFor();
    expect(await viewer.page.locator("[data-role=allow], [data-role=new-session]").count()).toBe(0);
    await viewer.context.close();
    await window.ask.waitFor();
    await window.deny();
    await window.reads("Seen.");
  });

  test.if(playsAll)(
    "[PG16] on a small phone what is asked leaves room for the conversation, and the composer gives way",
    async () => {
      const phone = await stage.open({
        name: "The small phone",
        context: { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true },
      });
      await phone.page.goto(window.page.url());
      const folder = `${stage.hub.folder}/${"a-rather-long-name-of-a-folder/".repeat(3)}`;
      const write = { file_path: `${folder}small.txt`, content: "small\n".repeat(12) };
      await window.say(`Go.\n::tool Write ${JSON.stringify(write)}\n::say Small.`);
      await phone.ask.waitFor();
      const high = async (selector: string) =>
        (await phone.page.locator(selector).boundingBox())?.height ?? 0;
      const composer = phone.page.locator("[data-role=composer]");
      await phone.page.locator(".composer-controls").waitFor({ state: "hidden" });
      expect(await high("[data-role=conversation]")).toBeGreaterThanOrEqual(110);
      expect(await high(".asks-dock")).toBeGreaterThanOrEqual(120);
      expect(await high(".composer")).toBeLessThanOrEqual(70);
      await composer.tap();
      await phone.page.locator(".composer-controls").waitFor();
      expect(await high("[data-role=conversation]")).toBeGreaterThanOrEqual(110);
      await phone.button("Model and permission").tap();
      for (const role of ["model", "permission"]) {
        const box = await phone.page.locator(`[role=dialog] [data-role=${role}]`).boundingBox();
        expect(box?.width ?? 0).toBeGreaterThan(40);
      }
      await phone.page.keyboard.press("Escape");
      await phone.page.getByRole("dialog").waitFor({ state: "detached" });
      await phone.deny();
      await window.reads("Small.");
      await phone.context.close();
    },
  );

  test("nothing went wrong in the page", () => expect(window.troubles()).toEqual([]));
}
