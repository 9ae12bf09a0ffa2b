import { until } from "@signalbox/testing/until";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { SharedStage, Window } from "../stage.ts";

/** Shells beside a session: opened, typed into, kept, watched and closed. */
export function shells(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
    await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
  });
  afterAll(() => stage.rest());

  test("[TM20] [TM21] a shell opened by key runs what is typed, in the session's folder", async () => {
    const { page } = window;
    await page.keyboard.press("Control+j");
    await page.waitForURL(/\/terminal\//);
    await page.locator(".xterm-helper-textarea:focus").waitFor();
    await page.keyboard.type("pwd; echo $((6 * 7)) > made-in-shell.txt\n");
    await showsText(page, stage.hub.folder);
    await until("the shell has written", () => stage.hub.has("made-in-shell.txt"));
    await page.keyboard.press("Control+j"); // back to the chat
    await window.reads("Ready.");
    await page.keyboard.press("Control+j");
    await showsText(page, stage.hub.folder);
  });

  test("[TM20] a second shell gets a name; both are there after a reload and after the hub was killed", async () => {
    const { page } = window;
    await page.locator("[data-role=new-shell]").click();
    await page.locator("[data-role=shell-tab]").nth(1).waitFor();
    await page.locator(".xterm-helper-textarea:focus").waitFor();
    await page.locator("[data-role=shell-tab]").nth(1).dblclick();
    await page.locator("[data-role=shell-name]").fill("Server");
    await page.locator("[data-role=shell-name]").press("Enter");
    await page.locator("[data-role=shell-tab]").getByText("Server").waitFor();
    await page.locator(".xterm").click();
    await page.keyboard.type("for i in $(seq 200); do echo line-$i; done\n");
    await showsText(page, "line-200");
    await page.reload();
    await showsText(page, "line-200");
    stage.hub.serving.child.kill("SIGKILL");
    await page.locator("[data-link=offline]").waitFor();
    await stage.hub.serveAgain();
    await page.locator("[data-link=live]").waitFor();
    await page.locator("[data-role=shell-tab]").getByText("Server").waitFor();
    await showsText(page, "line-200");
    await page.locator(".xterm").click();
    await page.keyboard.type("echo still-$((40 + 2))\n");
    await showsText(page, "still-42");
  });

  test("[TM25] find reaches what has scrolled out of sight", async () => {
    const { page } = window;
    await page.keyboard.press("Control+Shift+f");
    await page.locator("[data-role=terminal-find]").fill("line-4321");
    await page.getByText("No results").waitFor();
    await page.locator("[data-role=terminal-find]").fill("line-42");
    await showsText(page, "line-42");
    await page.keyboard.press("Escape");
    await window.button("Jump to latest").click();
    await showsText(page, "still-42");
  });

  test("[TM22] [TM23] a phone that may not type sees the shell scaled down and is told why", async () => {
    const other = await stage.open({
      name: "The phone",
      role: "viewer",
      context: { viewport: { width: 390, height: 844 } },
    });
    await other.page.goto(window.page.url());
    await showsText(other.page, "still-42");
    const status = other.page.locator("[data-role=terminal]").getByRole("status");
    await status.getByText("View only").waitFor();
    const [here, there] = await Promise.all(
      [window, other].map(({ page }) => page.locator(".xterm-screen").boundingBox()),
    );
    expect((there?.width ?? 0) / (here?.width ?? 1)).toBeCloseTo(0.5, 1);
    const size = await readSize(window.page);
    await other.page.locator(".xterm").click();
    await other.page.keyboard.type("touch typed-by-viewer.txt\n");
    await window.page.locator(".xterm").click();
    await window.page.keyboard.type("echo after-viewer\n");
    await showsText(other.page, "after-viewer");
    expect(stage.hub.has("typed-by-viewer.txt")).toBe(false);
    expect(await readSize(window.page)).toBe(size);
    expect(await other.page.locator("[data-role=new-shell], [data-role=close-shell]").count()).toBe(
      0,
    );
    await other.context.close();
  });

  test("[TM22] the terminal follows the window in which a person types", async () => {
    const { page } = window;
    const before = await readSize(page);
    await page.setViewportSize({ width: 1000, height: 700 });
    await until("the terminal has another size", async () => (await readSize(page)) !== before);
    await page.keyboard.type("echo columns-$(tput cols)\n");
    const columns = (await readSize(page)).split(" ")[0] ?? "";
    await showsText(page, `columns-${columns}`);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("[TM24] a link opens after a click, in a tab that knows nothing of this page", async () => {
    const { page, context } = window;
    const address = `http://localhost:${stage.hub.port}/docs-of-nothing`;
    await page.keyboard.type(`clear; echo ${address}\n`);
    await showsText(page, address, 1);
    await until("the prompt line has scrolled away", async () =>
      (await screenText(page)).trimStart().startsWith(address),
    );
    const row = await page.locator(".xterm-rows > div").first().boundingBox();
    const [opened] = await Promise.all([
      context.waitForEvent("page"),
      until("the link was clicked", async () => {
        const { x = 0, y = 0 } = row ?? {};
        await page.mouse.move(x + 20, y + 6);
        await page.mouse.move(x + 40, y + 8);
        await page.mouse.click(x + 40, y + 8);
        return context.pages().length > 1;
      }),
    ]);
    await opened.waitForURL(address);
    expect(await opened.evaluate(() => globalThis.opener === null)).toBe(true);
    await opened.close();
  });

  test("[TM26] a shell that ended says how; closing one that runs asks first", async () => {
    const { page } = window;
    await page.locator(".xterm").click();
    await page.keyboard.type("exit 3\n");
    await page.getByText("Exited with code 3").waitFor();
    await page.locator("[data-shown=true] [data-role=close-shell]").click();
    await window.reads("Ready.");
    await until(
      "one shell is left",
      async () => (await page.locator("[data-role=shell-tab]").count()) === 1,
    );
    await page.locator("[data-role=shell-tab]").click();
    await page.locator("[data-role=close-shell]").click();
    await page.getByRole("button", { name: "Close shell", exact: true }).click();
    await window.reads("Ready.");
    await window.vanish(page.locator("[data-role=shell-tab]"));
    expect(window.troubles()).toEqual([]);
  });
}

const screenText = (page: Page) => page.locator(".xterm-rows").innerText();
const readSize = (page: Page) => page.locator("[data-role=terminal-size]").innerText();

/** Waits until the terminal shows this text, so many times. */
async function showsText(page: Page, wanted: string, times = 1): Promise<void> {
  await page.locator(".xterm-rows").waitFor();
  await until(
    `the terminal shows "${wanted}"`,
    // A terminal pads with no-break spaces, and long lines go on in the next row.
    async () => (await screenText(page)).replaceAll("\n", "").split(wanted).length > times,
    { seen: () => screenText(page) },
  );
}
