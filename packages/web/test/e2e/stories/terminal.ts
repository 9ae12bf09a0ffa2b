import { acceptFirstRun } from "@signalbox/testing/first-run";
import { until } from "@signalbox/testing/until";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SharedStage, Window } from "../stage.ts";

const bash = (command: string) =>
  `::tool Bash ${JSON.stringify({ command })}\n::say Answered: ${command}.`;

/** A session in chat, in Claude Code's own terminal, and in chat again. */
export function terminal(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    acceptFirstRun(stage.hub.home, stage.hub.folder);
    window = await stage.open({ name: "The desk" });
    await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
  });
  afterAll(() => stage.rest());

  test("[PT12] the button moves a session into the terminal, which shows what was said in chat", async () => {
    const { page } = window;
    await page.locator("[data-role=terminal-tab]").click();
    await page.getByText("This session runs in chat.").waitFor();
    await page.locator("[data-role=terminal-offer] [data-role=switch-view]").click();
    await showsText(window, "Ready.");
    expect(new URL(page.url()).pathname).toEndWith("/terminal/agent");
  });

  test("[PT12] [PT7] a request made in the terminal is answered in the page", async () => {
    const { page } = window;
    await type(window, bash("touch from-page"));
    await page.getByText("answer it anywhere").waitFor();
    await page.locator("[data-role=chat-tab]").click();
    await window.allow();
    await window.reads("Answered: touch from-page.");
    expect(stage.hub.has("from-page")).toBe(true);
  });

  test("[PT12] [PT7] a request shown in the page is answered in the terminal", async () => {
    const { page } = window;
    await window.say(bash("touch from-terminal"));
    await window.ask.getByText("touch from-terminal").first().waitFor();
    await page.locator("[data-role=terminal-tab]").click();
    await showsText(window, "Do you want to proceed?");
    await until("the key was taken", async () => {
      await page.locator(".xterm").click();
      if ((await screenText(window)).includes("Do you want to proceed?")) {
        await page.keyboard.press("1");
      }
      return stage.hub.has("from-terminal");
    });
    // A key that came when the dialog was gone already stands in the field for messages.
    await showsText(window, "● Answered: touch from-terminal.");
    for (let key = 0; key < 9; key++) await page.keyboard.press("Backspace");
    await page.locator("[data-role=chat-tab]").click();
    await window.reads("Answered: touch from-terminal.");
    await window.vanish(window.ask);
  });

  test("[PT13] the terminal is still there after the hub was killed", async () => {
    const { page } = window;
    await page.locator("[data-role=terminal-tab]").click();
    stage.hub.serving.child.kill("SIGKILL");
    await page.locator("[data-link=offline]").waitFor();
    await stage.hub.serveAgain();
    await page.locator("[data-link=live]").waitFor();
    await showsText(window, "Answered: touch from-terminal.");
    await type(window, "::say After the hub.");
    await showsText(window, "● After the hub.");
  });

  test("[PT12] back in chat there is one history", async () => {
    const { page } = window;
    await page.locator("main [data-lamp=idle]").first().waitFor(); // otherwise the page would ask what to do with the turn
    await page.locator("[data-role=switch-view]").click();
    await page.waitForURL((url) => !url.pathname.includes("/terminal"));
    await window.say("::say In chat again.");
    await window.reads("In chat again.");
    const texts = await window.conversation.locator("[data-kind=text]").allInnerTexts();
    expect(texts.map((text) => text.trim())).toEqual([
      "Ready.",
      "Answered: touch from-page.",
      "Answered: touch from-terminal.",
      "After the hub.",
      "In chat again.",
    ]);
    expect(window.troubles()).toEqual([]);
  });
}

const screenText = async ({ page }: Window) =>
  (await page.locator(".xterm-rows").innerText()).replaceAll("\u00a0", " ");

async function showsText(window: Window, wanted: string): Promise<void> {
  await window.page.locator(".xterm-rows").waitFor();
  await until(
    `the terminal shows "${wanted}"`,
    async () => (await screenText(window)).includes(wanted),
    { seen: () => screenText(window) },
  );
}

/** Types a message of several lines into the field of Claude Code, as a paste, and sends it. */
async function type(window: Window, text: string): Promise<void> {
  const { page } = window;
  await page.locator(".xterm").click();
  await page.locator(".xterm-helper-textarea").evaluate((area, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, text);
  await showsText(window, text.split("\n", 1)[0]?.slice(0, 40) ?? "");
  await page.keyboard.press("Enter");
}
