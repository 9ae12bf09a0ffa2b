import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { beyondWindow } from "../names.ts";
import type { SharedStage, Window } from "../stage.ts";

/** What is around every page: the sidebar, the panel, the palette. */
export function frame(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
    await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
    await window.shows("idle");
  });
  afterAll(() => stage.rest());

  const panel = () => window.page.getByRole("complementary", { name: "Session details" });
  const panelToggle = () => window.page.locator("[data-role=panel-toggle]");
  const sidebar = () => window.page.locator("[data-role=sidebar]");
  const gone = (what: Locator) => what.waitFor({ state: "detached" });

  test("[PG60] on a tablet the panel lies over the page and can be closed: by Escape, its button and a click beside it", async () => {
    const { page } = window;
    await page.setViewportSize({ width: 1024, height: 768 });
    await gone(sidebar());
    const closings = [
      () => page.keyboard.press("Escape"),
      () => window.button("Close panel").click(),
      () => page.mouse.click(20, 400),
      () => page.keyboard.press("Control+Alt+b"),
    ];
    for (const close of closings) {
      await panelToggle().click();
      await panel().locator(":focus").waitFor();
      await close();
      await gone(panel());
      await panelToggle().and(page.locator(":focus")).waitFor();
    }
    expect(await beyondWindow(page)).toEqual([0, 0]);
  });

  test("[PG60] so does the sidebar, which closes when one has gone somewhere by it", async () => {
    const { page } = window;
    const session = page.url();
    const show = window.button("Show sidebar");
    await show.click();
    await sidebar().locator(":focus").waitFor();
    await page.keyboard.press("Escape");
    await gone(sidebar());
    await show.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Control+b");
    await sidebar().locator("[data-role=inbox-link]").click();
    await page.waitForURL(/\/inbox$/);
    await gone(sidebar());
    await page.goto(session);
    await window.reads("Ready.");
  });

  test("[PG60] Tab stays inside a sheet, in both directions, and the page behind it is out of reach", async () => {
    const { page } = window;
    const sheet = page.locator(".side-sheet");
    const openings = [
      { open: panelToggle(), outside: page.locator("[data-role=composer]") },
      { open: window.button("Show sidebar"), outside: page.locator("[data-role=composer]") },
    ];
    for (const { open, outside } of openings) {
      await open.click();
      await sheet.locator(":focus").waitFor();
      const count = await sheet.locator("a, button, [tabindex]").count();
      for (const key of ["Tab", "Shift+Tab"]) {
        for (let pressed = 0; pressed < count + 2; pressed++) await page.keyboard.press(key);
        expect(await sheet.locator(":focus").count()).toBe(1);
      }
      expect(await outside.evaluate((field) => field.closest("[inert]") !== null)).toBe(true);
      await page.keyboard.press("Escape");
      await gone(sheet);
      await open.and(page.locator(":focus")).waitFor();
      expect(await page.locator("[inert]").count()).toBe(0);
    }
  });

  test("[PG60] on a phone the sheet of the composer names each choice, and headers fit", async () => {
    const { page } = window;
    const session = page.url();
    await page.setViewportSize({ width: 390, height: 844 });
    await window.button("Model and permission").click();
    const sheet = page.locator(".bottom-sheet");
    const permission = sheet.getByRole("button", { name: "Permission Ask first" });
    for (const words of ["Permission", "Ask first"]) await permission.getByText(words).waitFor();
    await page.keyboard.press("Escape");
    await gone(sheet);
    for (const path of ["/", "/inbox", "/sessions", "/settings"]) {
      await page.goto(stage.url + path);
      const heading = page.locator(".page-head h1");
      await heading.waitFor();
      const isWhole = await heading.evaluate((title) => title.scrollWidth <= title.clientWidth);
      expect({ path, isWhole }).toEqual({ path, isWhole: true });
    }
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto(session);
    await window.reads("Ready.");
  });

  test("[PG60] a window that becomes narrow has nothing lying over its page, and gets its panel back when it is wide again", async () => {
    const { page } = window;
    await page.setViewportSize({ width: 1440, height: 900 });
    await window.openPanel("Tasks");
    await page.setViewportSize({ width: 1000, height: 800 });
    await gone(panel());
    await gone(sidebar());
    await page.locator("[data-role=composer]").click(); // nothing covers it
    await page.setViewportSize({ width: 1440, height: 900 });
    await panel().waitFor();
    await sidebar().waitFor();
    await panelToggle().click();
    await gone(panel());
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("[PG60] a key hides the sidebar, and it stays hidden after a reload", async () => {
    const { page } = window;
    await page.keyboard.press("Control+b");
    await gone(sidebar());
    await page.reload();
    await window.reads("Ready.");
    expect(await sidebar().count()).toBe(0);
    await window.button("Show sidebar").click();
    await sidebar().waitFor();
  });

  test("[PG61] at every size the ways to answer are in sight, however long what is asked is", async () => {
    const { page } = window;
    const content = Array.from({ length: 400 }, (_, nth) => `line ${nth} of the file`).join("\n");
    const input = JSON.stringify({ file_path: "in-sight.txt", content });
    await window.say(`Go.\n::tool Write ${input}\n::say Unwritten.`);
    await window.ask.waitFor();
    const sizes = [
      [1440, 900],
      [1024, 768],
      [768, 1024],
      [390, 844],
      [320, 568],
    ] as const;
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      for (const role of ["deny-open", "unfold"]) {
        const isInSight = await window.ask.locator(`[data-role=${role}]`).evaluate((button) => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          const corners = [left + 3, right - 3].flatMap((x) =>
            [top + 3, bottom - 3].map((y) => document.elementFromPoint(x, y)),
          );
          return corners.every((element) => element !== null && button.contains(element));
        });
        expect({ width, height, role, isInSight }).toEqual({
          width,
          height,
          role,
          isInSight: true,
        });
      }
      expect(await beyondWindow(page)).toEqual([0, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await window.deny();
    await window.reads("Unwritten.");
  });

  test("[PG92] what a button does is told beside it, by pointer and by key, and repeats nothing that can be read", async () => {
    const { page } = window;
    const tooltip = page.locator("[data-role=tooltip]");
    await panelToggle().hover();
    await tooltip.getByText("Show panel (Ctrl+Alt+B)").waitFor();
    await page.keyboard.press("Escape");
    await gone(tooltip);
    await page.mouse.move(600, 400);
    await window.button("Hide sidebar").focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab"); // the focus has come by key
    await tooltip.getByText("Hide sidebar (Ctrl+B)").waitFor();
    await page.keyboard.press("Tab");
    await gone(tooltip);
    const title = sidebar().locator(".session-row-title").first();
    await title.hover(); // its tooltip would repeat it
    await panelToggle().hover();
    await tooltip.getByText("Show panel (Ctrl+Alt+B)").waitFor();
    expect(await tooltip.count()).toBe(1);
    expect(await page.locator("[title]:not(iframe)").count()).toBe(0);
    await page.mouse.move(600, 400);
  });

  test("the palette knows the theme", async () => {
    const { page } = window;
    const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
    for (const [name, wanted] of [
      ["Theme: dark", "dark"],
      ["Theme: light", "light"],
      ["Theme: match system", undefined],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Session or action" }).fill("theme");
      await page.getByRole("option", { name }).click();
      await gone(page.getByRole("dialog"));
      expect(await theme()).toBe(wanted);
    }
  });

  test("[PG62] keys go from session to session, to the next that needs someone, and from prompt to prompt", async () => {
    const { page } = window;
    const first = page.url();
    const { admin, folder } = stage.hub;
    const asking = { text: 'Other.\n::tool Bash {"command":"touch asked.txt"}\n::say Over.' };
    const { id } = await admin.createSession({ folder, title: "Asks", prompt: asking });
    await window.isTitled("(1) ");
    await page.locator("[data-role=composer]").press("Alt+u");
    await page.waitForURL(`${stage.url}/s/${id}`);
    await window.ask.waitFor();
    await window.deny();
    await window.shows("idle");
    const rows = page.locator("[data-role=sidebar] [data-sidebar-session]");
    expect(await rows.count()).toBe(2);
    const ids = await rows.evaluateAll((all) =>
      all.map((row) => row.getAttribute("data-sidebar-session")),
    );
    await page.keyboard.press(ids[0] === id ? "Alt+ArrowDown" : "Alt+ArrowUp");
    await page.waitForURL(first);
    await page.keyboard.press(`Alt+${ids.indexOf(id) + 1}`);
    await page.waitForURL(`${stage.url}/s/${id}`);
    await page.goto(first);
    await window.reads("Ready.");
  });

  test("[PG62] find looks through the whole conversation and shows what it found", async () => {
    const { page } = window;
    await page.locator("[data-role=composer]").press("Control+f");
    const find = page.locator("[data-role=find]");
    await find
      .getByRole("textbox", { name: "Find in conversation" })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.type("Unwritten.");
    await find.getByText(/^\d+ match/).waitFor();
    await page.keyboard.press("Enter");
    await find.getByText(/^\d+ of \d+$/).waitFor();
    await page.keyboard.press("Escape");
    await gone(find);
    await page.locator("[data-role=composer]:focus").waitFor();
  });

  test("nothing went wrong in the page", () => expect(window.troubles()).toEqual([]));
}
