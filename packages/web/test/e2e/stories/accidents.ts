import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SharedStage, Window } from "../stage.ts";

/** Nothing is allowed by accident: what comes under a hand that was about to press is deaf at first (C16). */
export function accidents(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
  });
  afterAll(() => stage.rest());

  const begin = (text: string) =>
    stage.hub.admin.createSession({ folder: stage.hub.folder, prompt: { text } });
  const asking = (name: string) =>
    begin(`${name}\n::tool Bash {"command":"touch ${name}.txt"}\n::say Over.`);
  const open = (name: string) =>
    window.page.locator("[data-ask][data-status=open]", { hasText: `touch ${name}.txt` });
  const heard = (name: string) =>
    open(name).locator("[data-role=allow][aria-disabled=false]").waitFor();

  async function waiting(...names: readonly string[]): Promise<void> {
    await Promise.all(names.map(asking));
    for (const name of names) await heard(name);
  }
  /** The two that wait in the inbox, by their order in it. */
  async function inOrder(...names: readonly string[]): Promise<readonly [string, string]> {
    await waiting(...names);
    const texts = await window.ask.allTextContents();
    const at = (name: string) => texts.findIndex((text) => text.includes(`touch ${name}.txt`));
    const [upper = "", lower = ""] = names.toSorted((a, b) => at(a) - at(b));
    return [upper, lower];
  }

  /** What the hub still waits for. */
  async function asked(name: string) {
    const asks = await stage.hub.admin.asks();
    return asks.find(({ input }) => JSON.stringify(input).includes(`${name}.txt`));
  }
  async function answeredElsewhere(name: string): Promise<void> {
    const ask = await asked(name);
    if (!ask) throw new Error(`nobody asks for ${name}`);
    await stage.hub.admin.answer(ask.id, { hash: ask.hash, decision: { behavior: "deny" } });
  }

  async function deny(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await answeredElsewhere(name);
      await open(name).waitFor({ state: "detached" });
    }
  }

  test.each(["allow", "deny"])(
    "[PG5] a double click on the overview answers one (%s): what slides under the pointer is deaf",
    async (role) => {
      const { page } = window;
      const names = ["one", "two", "three"].map((name) => `${role}-${name}`);
      await waiting(...names);
      if (role === "deny") {
        for (const name of names) await open(name).locator("[data-role=deny-open]").click();
        await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      }
      await window.settled(`[data-role=${role}]`);
      const first = page.locator(`[data-role=${role}]`).first();
      const pressed = await first.evaluate(async (button, wanted) => {
        const { x, y, width, height } = button.getBoundingClientRect();
        const ask = button.closest("[data-ask]");
        const under = () =>
          document.elementFromPoint(x + width / 2, y + height / 2)?.closest<HTMLElement>(wanted);
        under()?.click();
        for (;;) {
          await new Promise(requestAnimationFrame);
          const other = under();
          const its = other?.closest<HTMLElement>("[data-ask]");
          if (!other || !its || its === ask) continue;
          other.click(); // in the moment it came there
          return its.textContent;
        }
      }, `[data-role=${role}]`);
      await heard(names.find((name) => pressed?.includes(`${name}.txt`)) ?? "");
      const left = (await stage.hub.admin.asks()).map(({ input }) => JSON.stringify(input));
      expect(left.length).toBe(2);
      await deny(...names.filter((name) => left.some((input) => input.includes(`${name}.txt`))));
    },
  );

  test("[PG5] a double click on Always allow grants nothing that lasts", async () => {
    const { page } = window;
    const content = { file_path: `${stage.hub.folder}/more.txt`, content: "more" };
    await begin(`more\n::tool Write ${JSON.stringify(content)}\n::say Over.`);
    await page.locator("[data-role=allow][aria-disabled=false]").waitFor();
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const rule = document.querySelector<HTMLElement>("[data-role=always-allow-rule]");
        if (!rule) return;
        observer.disconnect();
        rule.click(); // in the moment it came there
      }).observe(document.body, { subtree: true, childList: true });
    });
    await page.locator("[data-role=always-allow]").click();
    await window.settled("[data-role=always-allow-rule]");
    expect(await asked("more")).toBeDefined();
    await page.locator("[data-role=always-allow-rule]").first().click(); // in peace it can be
    await window.ask.waitFor({ state: "detached" });
  });

  test("[PG5] [PG26] a double click destroys nothing: the yes of a dialog is deaf at first", async () => {
    const { page } = window;
    const { id } = await stage.hub.admin.createSession({ folder: stage.hub.folder, title: "Dear" });
    const tile = page.locator(`[data-session="${id}"]`);
    await tile.getByRole("button", { name: "Actions for Dear" }).click();
    await page.getByRole("menuitem", { name: /^Delete/ }).evaluate((item: HTMLElement) => {
      const yes = () => document.querySelector<HTMLElement>("[data-role=confirm-yes]");
      new MutationObserver((_, observer) => {
        if (!yes()) return;
        observer.disconnect();
        yes()?.click(); // in the moment it came there
      }).observe(document.body, { subtree: true, childList: true });
      item.click();
    });
    const yes = page.locator("[data-role=confirm-yes]");
    await window.settled("[data-role=confirm-yes]");
    expect((await stage.hub.admin.session(id)).title).toBe("Dear");
    await yes.click(); // in peace it can be
    await tile.waitFor({ state: "detached" });
  });

  test("[PG5] Allow is deaf again when the page comes back, or its window", async () => {
    const { page } = window;
    await waiting("away");
    for (const back of ["focus", "visibilitychange"]) {
      await page.locator("[data-role=allow]").evaluate((allow: HTMLElement, type) => {
        (type === "focus" ? globalThis : document).dispatchEvent(new Event(type));
        allow.click();
      }, back);
      await heard("away");
    }
    expect(await asked("away")).toBeDefined();
    await deny("away");
  });

  test("[PG5] in the inbox no key hits what nobody chose, and none that is held down", async () => {
    const { page } = window;
    await page.locator("[data-role=inbox-link]").click();
    const [chosen, below] = await inOrder("mark", "other");
    await page.keyboard.press("j");
    const entry = (name: string) => page.locator("[data-entry]", { hasText: `touch ${name}.txt` });
    await entry(chosen).and(page.locator("[data-ready=true]")).waitFor();
    await entry(below).evaluate((other) => {
      const press = () => globalThis.dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
      const current = document.querySelector("[aria-current=true]");
      const isCurrent = () => other.getAttribute("aria-current") === "true";
      // In the moment in which the chosen one is over, and in that in which the other is current.
      new MutationObserver((_, observer) => {
        if (isCurrent()) observer.disconnect(); // from now on a key may well be meant for it
        else press();
      }).observe(current ?? other, { subtree: true, attributes: true });
      new MutationObserver((_, observer) => {
        if (!isCurrent()) return;
        observer.disconnect();
        press();
      }).observe(other, { attributes: true });
    });
    await deny(chosen);
    expect(await page.locator("[data-entry][aria-current=true]").count()).toBe(0);
    await page.keyboard.down("a");
    await page.keyboard.press("j"); // this is choosing
    await entry(below).and(page.locator("[data-ready=true]")).waitFor();
    for (let nth = 0; nth < 5; nth++) await page.keyboard.down("a"); // repeats, as a held key does
    await page.keyboard.up("a");
    await heard(below);
    expect(await asked(below)).toBeDefined();
    await window.insists(
      () => page.keyboard.press("a"), // the one above may be going away just now
      (timeout) => open(below).waitFor({ state: "detached", timeout }),
    );
  });

  test("[PG5] what is answered elsewhere keeps its place under a pointer; what moves up is deaf", async () => {
    const { page } = window;
    await page.locator("[data-role=inbox-link]").click();
    const [upper, lower] = await inOrder("left", "right");
    const allow = open(lower).locator("[data-role=allow]");
    await allow.hover();
    const before = await allow.boundingBox();
    await deny(upper);
    expect(await allow.boundingBox()).toEqual(before);
    const moved = allow.evaluate(async (button: HTMLElement) => {
      const top = button.getBoundingClientRect().top;
      while (button.getBoundingClientRect().top === top) await new Promise(requestAnimationFrame);
      button.click(); // in the moment it moved
    });
    await page.mouse.move(0, 0);
    await moved;
    await heard(lower);
    expect(await asked(lower)).toBeDefined();
    await deny(lower);
  });

  test("[PG5] no key of the inbox does anything while something lies over it", async () => {
    const { page } = window;
    await page.locator("[data-role=inbox-link]").click();
    await waiting("under");
    const at = page.url();
    const entry = page.locator("[data-entry]", { hasText: "touch under.txt" });
    const ready = entry.and(page.locator("[data-ready=true]"));
    await page.keyboard.press("j");
    await ready.waitFor();
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog");
    await sheet.waitFor();
    await entry.locator("[data-role=allow]").evaluate(async (allow: HTMLElement) => {
      await new Promise((resolve) => setTimeout(resolve, 800)); // it has lain there for long
      allow.click();
    });
    for (const key of ["a", "d", "e", "o"]) await page.keyboard.press(key);
    await sheet.waitFor();
    expect(page.url()).toBe(at);
    expect(await asked("under")).toBeDefined();
    expect(
      await entry.locator("[data-role=edited-input], [data-role=deny-words]:focus").count(),
    ).toBe(0);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await ready.waitFor();
    await window.insists(
      () => page.keyboard.press("a"),
      (timeout) => open("under").waitFor({ state: "detached", timeout }),
    );
  });

  test("[PG5] [PG44] who writes a denial goes on writing when somebody else answers: no letter is a shortcut", async () => {
    const { page } = window;
    await page.locator("[data-role=inbox-link]").click();
    const [upper, lower] = await inOrder("written", "beside");
    const at = page.url();
    await open(upper).locator("[data-role=deny-open]").click();
    await open(upper).locator("[data-role=deny-words]:focus").waitFor();
    await page.keyboard.type("please do not, I would ");
    const field = page.getByLabel("Tell Claude what to do instead").and(page.locator(":focus"));
    await answeredElsewhere(upper);
    await page.getByText("Someone else answered this request while you were typing").waitFor();
    await page.keyboard.type("just say no", { delay: 100 });
    expect(await field.inputValue()).toBe("please do not, I would just say no");
    // Where a field goes away all the same, what is typed on is none.
    await field.evaluate((area: HTMLElement) => area.blur());
    await page.keyboard.type("jao n", { delay: 100 });
    expect(await page.locator("[data-entry][aria-current=true], [role=dialog]").count()).toBe(0);
    expect(page.url()).toBe(at);
    expect(await asked(lower)).toBeDefined();
    await page.keyboard.press("Escape"); // that ends it
    await window.insists(
      () => page.keyboard.press("j"),
      (timeout) => open(lower).and(page.locator("[aria-current=true] *")).waitFor({ timeout }),
    );
    await deny(lower);
  });

  test("[PG44] who writes a denial on a tile goes on writing when somebody else answers", async () => {
    const { page } = window;
    await page.goto(stage.url);
    await waiting("on-tile", "by-tile");
    await open("on-tile").locator("[data-role=deny-open]").click();
    await open("on-tile").locator("[data-role=deny-words]:focus").waitFor();
    await page.keyboard.type("please do not, I would ");
    await answeredElsewhere("on-tile");
    await page.getByText("Someone else answered this request while you were typing").waitFor();
    await page.keyboard.type("just say no");
    const field = page.locator("[data-role=deny-words]:focus");
    expect(await field.inputValue()).toBe("please do not, I would just say no");
    await field.evaluate((area: HTMLElement) => area.blur());
    await page
      .getByText("Someone else answered this request while you were typing")
      .waitFor({ state: "detached" });
    expect(await asked("by-tile")).toBeDefined();
    await deny("by-tile");
  });

  test("nothing went wrong in the page", () => expect(window.troubles()).toEqual([]));
}
