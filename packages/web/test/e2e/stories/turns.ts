import { playsAll } from "../plays-all.ts";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serious } from "../axe.ts";
import { noisyPicture } from "../noisy-picture.ts";
import type { SharedStage, Window } from "../stage.ts";
import { readProcessFile } from "@signalbox/testing/process-facts";
import { until } from "@signalbox/testing/until";

/** What is said while the agent works, and with what. */
export function turns(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
    await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
  });
  afterAll(() => stage.rest());

  test("Escape twice ends the turn, and that is no error", async () => {
    await window.say("Go.\n::say Now I am stuck.\n::stall");
    await window.reads("Now I am stuck.");
    const escape = () => window.page.keyboard.press("Escape");
    await window.insists(escape, (timeout) =>
      window.button("Press Esc again to interrupt").waitFor({ timeout }),
    );
    await window.insists(
      async () => {
        await escape();
        await escape();
      },
      (timeout) => window.shows("idle", timeout),
    );
  });

  test("the button does the same", async () => {
    await window.say("Go.\n::say Stuck again.\n::stall");
    await window.reads("Stuck again.");
    await window.page.locator("[data-role=interrupt]").click();
    await window.shows("idle");
  });

  test("[PG13] [PG26] what is said meanwhile waits, can be moved and withdrawn, and then goes in its order", async () => {
    const queued = window.page.locator("[data-role=queued]");
    await window.say("Go.\n::say Busy.\n::stall");
    await window.reads("Busy.");
    await window.say("One.\n::say Heard one.");
    await window.say("Two.\n::say Heard two.");
    await window.say("Three.\n::say Heard three.");
    await queued.nth(2).waitFor();
    await queued.nth(1).getByRole("button", { name: "Remove" }).click();
    await queued.nth(2).waitFor({ state: "detached" });
    await window.button("Undo").click(); // and it stands where it stood
    await queued.nth(2).getByText("Three.").waitFor();
    await queued.nth(1).getByText("Two.").waitFor();
    await window.button("Remove: Two.").click(); // each button says whose it is
    await queued.nth(2).waitFor({ state: "detached" });
    await window.button("Move up: Three.").click();
    await queued.first().getByText("Three.").waitFor();
    await window.page.locator("[data-role=interrupt]").click();
    await window.reads("Heard one.");
    await window.shows("idle");
    const said = await window.conversation.locator("[data-kind=text]").allInnerTexts();
    expect(said.slice(-2)).toEqual(["Heard three.", "Heard one."]);
    await window.vanish(queued);
  });

  test("[PG13] a message may go into the running turn", async () => {
    const command = "while [ ! -e steered.txt ]; do sleep 0.1; done";
    await window.say(`Go.\n::tool Bash ${JSON.stringify({ command })}\n::say Unsteered.`);
    await window.shows("working");
    await window.say("Turn.\n::say Steered.", "send-now");
    const { admin } = stage.hub;
    const id = window.page.url().split("/s/")[1] ?? "";
    const waiting = async () => (await admin.session(id)).queue.map(({ status }) => status);
    await until("the message is with the agent", async () => (await waiting()).join() === "sent", {
      seen: waiting,
    });
    writeFileSync(join(stage.hub.folder, "steered.txt"), "");
    await window.reads("Steered.");
    await window.shows("idle");
    expect(await window.conversation.getByText("Unsteered.", { exact: true }).count()).toBe(0);
  });

  test.if(playsAll)(
    "[PG13] a message that was sent into the turn stands once, however long it is not taken up",
    async () => {
      await window.say('Go.\n::tool Bash {"command":"touch meanwhile.txt"}\n::say Unturned.');
      await window.ask.waitFor();
      await window.say("Turn aside.\n::say Turned.", "send-now");
      await window.conversation.getByText("Turn aside.").waitFor();
      await window.page.locator("[data-role=queued]").waitFor({ state: "detached" });
      const id = window.page.url().split("/s/")[1];
      const session = (await stage.hub.admin.sessions()).find((one) => one.id === id);
      expect(session?.queue.map(({ status }) => status)).toEqual(["sent"]);
      await window.allow();
      await window.reads("Turned.");
      await window.shows("idle");
    },
  );

  test.if(playsAll)(
    "what there is to do is kept in its panel, and the board says how far it is",
    async () => {
      const task = (subject: string) =>
        `::tool TaskCreate ${JSON.stringify({ subject, description: subject, activeForm: subject })}`;
      await window.say(
        [
          "Go.",
          task("Look around"),
          task("Write it down"),
          "::next",
          '::tool TaskUpdate {"taskId":"1","status":"completed"}',
          "::next",
          "::say Half done.",
        ].join("\n"),
      );
      await window.reads("Half done.");
      const panel = await window.openPanel("Tasks");
      await panel.getByText("1/2").waitFor();
      await panel.getByText("Write it down").waitFor();
      const session = window.page.url();
      await window.page.goto(stage.url);
      await window.page.locator('[data-tip="1 of 2 tasks done"]').waitFor();
      await window.page.goto(session);
    },
  );

  test("[PG49] words that come with a picture of themselves are pasted as words; files are taken wherever they are dropped", async () => {
    const { page } = window;
    const png = [...noisyPicture(4)];
    /** Plays what a person does with the clipboard or the mouse; gives whether the browser goes on by itself. */
    const played = (type: "paste" | "drop", to: string, what: { text?: string; file?: boolean }) =>
      page.evaluate(
        ([bytes, kind, where, { text, file }]) => {
          const data = new DataTransfer();
          if (text !== undefined) data.setData("text/plain", text);
          if (file)
            data.items.add(new File([Uint8Array.from(bytes)], "cells.png", { type: "image/png" }));
          const how = { bubbles: true, cancelable: true };
          const event =
            kind === "paste"
              ? new ClipboardEvent("paste", { ...how, clipboardData: data })
              : new DragEvent("drop", { ...how, dataTransfer: data });
          return document.querySelector(where)?.dispatchEvent(event);
        },
        [png, type, to, what] as const,
      );
    const composer = "[data-role=composer]";
    await page.locator(composer).waitFor();
    const taken = page.getByRole("list", { name: "Attachments" }).getByRole("listitem");
    expect(await played("paste", composer, { text: "Sum\t12", file: true })).toBe(true);
    expect(await played("drop", composer, { text: "some words" })).toBe(true);
    expect(await taken.count()).toBe(0);
    expect(await played("drop", "[data-role=conversation]", { file: true })).toBe(false);
    await taken.waitFor();
    await window.button("Remove cells.png").click();
    await taken.waitFor({ state: "detached" });
    await page.locator("[data-role=inbox-link]").click();
    await page.locator("h1").waitFor();
    expect(await played("drop", "h1", { file: true })).toBe(false); // it would take the page's place
    await page.goBack();
    await page.locator(composer).waitFor();
  });

  test("an image is pasted, shown, and reaches the model", async () => {
    await window.page.locator("[data-role=composer]").focus();
    await window.page.evaluate(async () => {
      const canvas = new OffscreenCanvas(4, 4);
      canvas.getContext("2d")?.fillRect(0, 0, 4, 4);
      const data = new DataTransfer();
      data.items.add(new File([await canvas.convertToBlob()], "dot.png", { type: "image/png" }));
      const paste = { clipboardData: data, bubbles: true, cancelable: true };
      document
        .querySelector("[data-role=composer]")
        ?.dispatchEvent(new ClipboardEvent("paste", paste));
    });
    await window.page.getByAltText("dot.png").waitFor();
    await window.say("Look.");
    await window.reads(/Image: source/); // the agent tells the model where it has put it
    expect(JSON.stringify(stage.hub.model.requests)).toContain('"media_type":"image/png"');
  });

  test("model and mode are switched in the middle of a session", async () => {
    await window.choose("permission", /^Auto-accept edits/);
    await window.permits("accept-edits");
    await window.choose("model", /^Sonnet/);
    await window.say(
      'Go.\n::tool Write {"file_path":"free.txt","content":"x"}\n::say Written unasked.',
    );
    await window.reads("Written unasked.");
    expect(stage.hub.has("free.txt")).toBe(true);
    await window.choose("permission", /^Ask first/);
    await window.permits("default");
  });

  test("[PG22] effort is switched in the middle of a session, where the model has some", async () => {
    const { admin } = stage.hub;
    const id = window.page.url().split("/").at(-1) ?? "";
    await window.choose("effort", "Low");
    await until(async () => (await admin.session(id)).options.effort === "low");
    const { applied } = await admin.control<{ applied: { effort: string } }>(id, "get_settings");
    expect(applied.effort).toBe("low");
  });

  test("[PG11] commands and files are offered as one types, and a draft outlives a reload", async () => {
    const { page } = window;
    const composer = page.locator("[data-role=composer]");
    await composer.fill("");
    await composer.pressSequentially("/comp");
    await page.getByRole("option").first().waitFor();
    await composer.press("Enter");
    expect(await composer.inputValue()).toBe("/compact ");
    await composer.fill("");
    await composer.pressSequentially("see @free");
    await page.getByRole("option", { name: "free.txt" }).waitFor();
    await composer.press("Tab");
    expect(await composer.inputValue()).toBe("see @free.txt ");
    await page.reload();
    await until(
      "the draft is there again",
      async () => (await composer.inputValue()) === "see @free.txt ",
      { seen: () => composer.inputValue() },
    );
    await window.conversation.locator("[data-kind=prompt]").last().waitFor();
    await composer.fill("");
    await composer.press("ArrowUp");
    expect(await composer.inputValue()).toContain("Written unasked.");
    await composer.fill("");
  });

  test("[PG23] what a command prints in the background is seen while it runs, and its end", async () => {
    const command =
      "echo the first line; printf '\\033[31mred <b>plain</b> \\342\\200\\256x\\n'; while [ ! -e go.txt ]; do sleep 0.1; done; echo the last";
    const input = JSON.stringify({ command, run_in_background: true });
    await window.say(`Go.\n::tool Bash ${input}\n::say Begun.`);
    await window.reads("Begun.");
    const output = window.conversation.locator("[data-role=live-output]");
    await output.getByText("the first line").waitFor();
    await window.shows("in the background");
    const panel = await window.openPanel("Tasks");
    // Colours alone come of what it prints: no markup, nothing that reorders.
    await panel.locator("[data-role=live-output]").getByText("red <b>plain</b> x").waitFor();
    writeFileSync(join(stage.hub.folder, "go.txt"), "");
    await output.getByText("the last").waitFor();
    await window.shows("idle");
    await panel.getByText("No background tasks").waitFor();
    const over = panel.getByRole("list", { name: "Finished" });
    await over.getByText(/^after [\d.]+ m?s$/).waitFor();
  });

  test.if(playsAll)(
    "[PG29] work in the background says for how long it goes on, and is stopped by itself",
    async () => {
      const command = "touch going.txt; echo going; sleep 600.029";
      const shell = { command, description: "Wait long", run_in_background: true };
      const told = { description: "Look long", prompt: "::stall", run_in_background: true };
      await window.say(
        `Go.\n::tool Bash ${JSON.stringify(shell)}\n::tool Task ${JSON.stringify(told)}\n::say Set going.`,
      );
      await window.allow();
      await window.reads("Set going.");
      const panel = window.page.getByRole("tabpanel");
      const going = panel.locator("[data-task]");
      const [wait, look] = ["Wait long", "Look long"].map((hasText) => going.filter({ hasText }));
      if (!wait || !look) throw new Error("two pieces of work");
      await wait.locator("[data-role=live-output]").getByText("going").waitFor();
      const time = wait.locator("time");
      await time.getByText(/^[1-9]\d* s$/).waitFor(); // it counts
      expect(await time.getAttribute("data-tip")).toStartWith("Since ");
      // By their command lines: the agent has process ids of its own where it is isolated.
      const sleeping = () =>
        stage.hub
          .processes()
          .filter((pid) => readProcessFile(pid, "cmdline").includes("sleep\x00600.029"));
      expect(sleeping()).toHaveLength(1);
      expect(await serious(window.page, { within: "[role=tabpanel]:not([hidden])" })).toEqual([]);
      await window.button("Stop: Wait long").click();
      await wait.waitFor({ state: "detached" });
      await until("its process is gone", () => sleeping().length === 0, { seen: sleeping });
      await look.getByText("subagent").waitFor(); // the other one goes on
      await window.button("Stop: Look long").press("Enter");
      await panel.getByText("No background tasks").waitFor();
      const over = panel.getByRole("list", { name: "Finished" });
      for (const words of ["Wait long", "Look long"]) {
        await over.getByRole("listitem").filter({ hasText: words }).getByText("stopped").waitFor();
      }
      await window.shows("idle");
    },
  );

  test("[PG9] a reload in the middle of a stream shows all of it, once", async () => {
    await window.say("Go.\n::flood 300 100\n::say The end.");
    await window.conversation.getByText(/w40\b/).waitFor();
    await window.page.reload();
    await window.reads("The end.");
    const words = (await window.conversation.locator("[data-kind=text]").allInnerTexts()).join(" ");
    const flood = [...words.matchAll(/\bw\d+\b/g)].map(([word]) => word);
    expect(flood).toEqual(Array.from({ length: 300 }, (_, nth) => `w${nth + 1}`));
  });

  test.if(playsAll)(
    "[HB66] a message for which no run can be started says why, and goes with one click once that is mended",
    async () => {
      const { admin, folder } = stage.hub;
      await admin.setEnvironments({ short: {} });
      const prompt = { text: "Begin.\n::say Well begun." };
      const { id } = await admin.createSession({ folder, environment: "short", prompt });
      await window.page.goto(`${stage.url}/s/${id}`);
      await window.reads("Well begun.");
      await admin.stop(id);
      await admin.setEnvironments({});
      await window.say("Go on.\n::say Gone on.");
      const trouble = window.page.getByRole("status").getByText('environment profile "short"');
      await trouble.waitFor();
      await window.shows("crashed");
      await admin.setEnvironments({ short: {} });
      await window.button("Retry last message").click();
      await window.reads("Gone on.");
      await window.vanish(trouble);
      const said = await window.conversation.locator("[data-kind=prompt]").count();
      expect(said).toBe(2); // the good turn before it was not said again
    },
  );

  test("nothing went wrong in the page", () => expect(window.troubles()).toEqual([]));
}
