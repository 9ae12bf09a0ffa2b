import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { playsAll } from "../plays-all.ts";
import { until } from "@signalbox/testing/until";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { serious } from "../axe.ts";
import { beyondWindow } from "../names.ts";
import { PATIENCE_MS, type SharedStage, type Window } from "../stage.ts";

/** By keyboard, on a phone, with a screen reader. */
export function everyone(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
  });
  afterAll(() => stage.rest());

  test.if(playsAll)(
    "[PG96] 200 sessions with long names in a path of almost 4 kB fit the window, and few are drawn",
    async () => {
      const { page } = window;
      const { admin } = stage.hub;
      let folder = stage.hub.folder;
      while (folder.length < 3800) folder = join(folder, "x".repeat(200));
      mkdirSync(folder, { recursive: true });
      for (let nth = 0; nth < 200; nth++) {
        const title = `${nth} ${"t".repeat(190)}`;
        await admin.createSession({ folder: nth % 2 ? folder : stage.hub.folder, title });
      }
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        for (const path of ["/", "/sessions"]) {
          await page.goto(stage.url + path);
          await page.locator("[data-session], [data-sidebar-session]").nth(7).waitFor();
          expect(await page.locator("*").count()).toBeLessThan(3000);
          expect(await beyondWindow(page)).toEqual([0, 0]);
        }
      }
      await page.goto(stage.url);
      const tiles = page.locator("[data-session]");
      const first = await tiles.count();
      await page.locator("[data-role=more-tiles]").click();
      await tiles.nth(first).waitFor();
      await page.setViewportSize({ width: 1280, height: 800 });
      await Promise.all((await admin.sessions()).map(({ id }) => admin.deleteSession(id)));
      await page.getByText("Start your first session").waitFor();
    },
  );

  test("[PG15] by keyboard alone a session is started, asked for, allowed and found again", async () => {
    const { page } = window;
    await page.keyboard.press("Alt+n");
    await page.locator("[data-role=first-prompt]:focus").waitFor();
    await page.keyboard.type("Go.");
    const folder = page.locator("[data-role=folder-chip]");
    await tabTo(page, folder); // Shift+Tab changes the permission while a message is written
    await page.keyboard.press("Enter");
    await page.locator("[data-role=folder]:focus").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(stage.hub.folder); // half a path is looked for in vain
    await page.keyboard.press("Enter");
    await folder.and(page.locator(":focus")).waitFor(); // the focus is back where it came from
    await tabTo(page, page.locator("[data-role=first-prompt]"));
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/s\//);
    await window.reads("Echo: Go.");
    await page.keyboard.type("Ask.");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type('::tool Bash {"command":"touch keyed.txt"}');
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("::say Keyed.");
    await page.keyboard.press("Enter");
    await window.ask.waitFor();
    await page.keyboard.press("Control+k");
    await page.locator("[role=dialog] input:focus").waitFor();
    await page.keyboard.type("inbox");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/inbox$/);
    await page.keyboard.press("j");
    await page.locator("[data-entry][data-ready=true]").waitFor();
    await window.settled("[data-role=allow]");
    await page.keyboard.press("a");
    await page.getByText("You're all caught up").waitFor();
    await page.keyboard.press("Control+k");
    await page.locator("[role=dialog] input:focus").waitFor();
    await page.keyboard.type("go.");
    await page.getByRole("option", { name: /Go\./ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/s\//);
    await window.reads("Keyed.");
    expect(stage.hub.has("keyed.txt")).toBe(true);
  });

  test("[PG17] the title and the icon tell when something waits", async () => {
    await window.say('Go.\n::tool Bash {"command":"touch told.txt"}\n::say Told.');
    await window.ask.waitFor();
    await window.isTitled("(1) ");
    const icon = () => window.page.locator("link[rel=icon]").getAttribute("href");
    await until(
      "the icon shows a 1",
      async () => decodeURIComponent((await icon()) ?? "").includes(">1<"),
      { seen: icon },
    );
  });

  /** At everything in light, and at the colours once more in dark. */
  async function look(within?: string): Promise<void> {
    const { page } = window;
    const place = within === undefined ? {} : { within };
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await serious(page, { ...place, colors: true })).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
    expect(await serious(page, place)).toEqual([]);
  }
  /** Nothing is being fetched any more; several parts of a page may be at it. */
  const calm = (page: Page) =>
    page
      .getByText(/^(?:Fetching|Loading|Asking the agent)[^…]*…$/)
      .first()
      .waitFor({ state: "detached" });

  test("[PG16] axe finds nothing serious in a session, its panels, menus and dialogs", async () => {
    const { page } = window;
    await look();
    for (const name of ["Changes", "Context", "MCP", "Hooks", "Protocol", "Info", "Tasks"]) {
      await window.openPanel(name);
      await calm(page);
      await look("[role=tabpanel]:not([hidden])");
    }
    const prompt = page.locator(".item-row", { has: page.locator("[data-kind=prompt]") }).last();
    await prompt.locator(".item-menu").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menu").waitFor();
    await look("[role=menu]");
    await page.getByRole("menuitem", { name: /^Restore files/ }).click();
    await page.getByRole("dialog").waitFor();
    await calm(page);
    await look("[role=dialog]");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test.if(playsAll)(
    "[PG16] nor on the board, in the inbox, in the settings, and in every dialog",
    async () => {
      const { page } = window;
      const session = page.url();
      for (const path of ["/inbox", "/settings", "/"]) {
        await page.goto(stage.url + path);
        await page.locator("[data-link=live]").waitFor();
        await calm(page);
        await look();
      }
      await page
        .locator("[data-session]")
        .getByRole("button", { name: /^Actions for/ })
        .click();
      await page.getByRole("menu").waitFor();
      await look("[role=menu]");
      await page.getByRole("menuitem", { name: "Pin to top" }).click();
      await page.locator(".toast").waitFor();
      await look(".toasts");
      await page
        .locator("[data-session]")
        .getByRole("button", { name: /^Actions for/ })
        .click();
      await page.getByRole("menuitem", { name: "Rename…" }).click();
      await page.locator("[data-role=session-name]").waitFor();
      await look("[role=dialog]");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.locator("[data-role=overview-more]").click();
      await page.locator("[data-role=connect-open]").click();
      await page.getByRole("dialog").waitFor();
      await calm(page);
      await look("[role=dialog]");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      for (const key of ["Control+k", "?"]) {
        await page.keyboard.press(key);
        await page.getByRole("dialog").waitFor();
        await look("[role=dialog]");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      await page.keyboard.press("Alt+n");
      await page.locator("[data-role=first-prompt]").waitFor();
      await look();
      for (const chip of ["folder-chip", "worktree-chip", "more"]) {
        await page.locator(`[data-role=${chip}]`).click();
        await page.getByRole("dialog").waitFor();
        if (chip === "more") await page.getByRole("button", { name: "Add MCP server" }).click();
        await calm(page);
        await look("[role=dialog]");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      await page.goto(session);
      await window.ask.waitFor();
    },
  );

  test.each(["light", "dark"] as const)(
    "[PG16] axe finds nothing serious before a browser is paired, %s",
    async (colorScheme) => {
      const context = await stage.browser.newContext({ colorScheme });
      const colors = colorScheme === "dark";
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      await page.goto(stage.url);
      await page.getByRole("heading").first().waitFor();
      expect(await serious(page, { colors })).toEqual([]);
      const { url } = await stage.hub.admin.createPairing("viewer");
      await page.goto(url);
      await page.locator("[data-role=device-name]").waitFor();
      expect(await serious(page, { colors })).toEqual([]);
      await context.close();
    },
  );

  test.if(playsAll)(
    "[PG16] on a phone one sees at once who waits, answers with a thumb, and nothing hangs over the edge",
    async () => {
      const phone = await stage.open({
        name: "The phone",
        context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      });
      const { page } = phone;
      const allow = page.locator("[data-role=allow][aria-disabled=false]");
      await allow.waitFor();
      const box = await allow.boundingBox();
      expect(box && box.y + box.height).toBeLessThan(844);
      expect(box?.height).toBeGreaterThanOrEqual(40);
      const fits = async (within?: string) => {
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(over).toBeLessThanOrEqual(0);
        expect(await serious(page, within === undefined ? {} : { within })).toEqual([]);
      };
      await fits();
      for (const path of ["/inbox", "/settings"]) {
        await page.goto(stage.url + path);
        await page.locator("[data-link=live]").waitFor();
        await calm(page);
        await fits();
      }
      for (const [path, opener] of [
        ["/sessions", "commands"],
        ["/", "connect-open"],
        ["/new", "folder-chip"],
        ["/new", "more"],
      ]) {
        await page.goto(`${stage.url}${path}`);
        await page.locator("[data-link=live]").waitFor();
        await fits();
        if (opener === "connect-open") await page.locator("[data-role=overview-more]").tap();
        await page.locator(`[data-role=${opener}]`).tap();
        await page.getByRole("dialog").waitFor();
        await calm(page);
        await fits("[role=dialog]");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      await page.goto(window.page.url());
      await phone.ask.waitFor();
      await fits();
      await phone.settled("[data-role=allow]");
      await allow.tap();
      await phone.reads("Told.");
      expect(phone.troubles()).toEqual([]);
    },
  );

  test("with less movement wished for, no lamp pulses", async () => {
    await window.page.emulateMedia({ reducedMotion: "reduce" });
    const moving = await window.page.evaluate(() => document.getAnimations().length);
    expect(moving).toBe(0);
  });

  test("nothing went wrong in the page", () => expect(window.troubles()).toEqual([]));
}

/** Moves the focus forwards until it is there. A page has fewer stops than this. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let stops = 0; stops < 200; stops++) {
    if ((await wanted.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the focus never came to ${wanted.toString()}`);
}
