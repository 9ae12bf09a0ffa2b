import { createSigningKey } from "@signalbox/runner/keys";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { noisyPicture } from "../noisy-picture.ts";
import { beyondWindow, runTogether, tooLow } from "../names.ts";
import { PATIENCE_MS, type SharedStage, type Window } from "../stage.ts";
import { until } from "@signalbox/testing/until";

/** Where the hands are: focus, dialogs, thumbs, and what a screen reader says. */
export function hands(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
  });
  afterAll(() => stage.rest());

  /** Settles when this has the focus. */
  const focused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor();
  const asking = (name: string) =>
    stage.hub.admin.createSession({
      folder: stage.hub.folder,
      prompt: { text: `${name}\n::tool Bash {"command":"touch ${name}.txt"}\n::say Over.` },
    });

  test("[PG40] a new session is entered with the caret in its composer, and an answer leads back there", async () => {
    const { page } = window;
    await window.begin("Begin.\n::say Ready.");
    await focused(page, "[data-role=composer]");
    await window.reads("Ready.");
    await window.say('Go.\n::tool Bash {"command":"touch hands.txt"}\n::say Made.');
    await window.allow();
    await focused(page, "[data-role=composer]");
    await window.reads("Made.");
  });

  test("[PG40] [PG62] keys and the palette lead into a session's message, and F6 to the areas around it", async () => {
    const { page } = window;
    const first = page.url();
    await window.begin("Another one.\n::say Other.");
    await window.reads("Other.");
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowDown");
    await focused(page, "[data-role=composer]");
    await page.keyboard.press("Control+k");
    await page
      .getByRole("dialog")
      .getByRole("combobox")
      .or(page.getByRole("dialog").locator("input"))
      .first()
      .fill("Begin");
    await page.keyboard.press("Enter");
    await page.waitForURL(first);
    await focused(page, "[data-role=composer]");
    await window.say('Ask.\n::tool Bash {"command":"touch around.txt"}\n::say Done.');
    await window.ask.waitFor();
    await page.keyboard.press("Shift+F6");
    await focused(page, ".asks-dock [data-ask]");
    await page.keyboard.press("Shift+F6");
    await focused(page, "[data-role=conversation]");
    await page.keyboard.press("Shift+F6");
    await page.locator("[data-role=sidebar] a:focus").waitFor();
    for (let press = 0; press < 3; press++) await page.keyboard.press("F6");
    await focused(page, "[data-role=composer]");
    await window.deny();
  });

  test("[PG5] [PG40] in the inbox an answer leads to the next ask and not to its Allow, by hand and by key", async () => {
    const { page } = window;
    for (const name of ["first", "second", "third"]) {
      await asking(name);
      await page
        .getByRole("link", { name: `Inbox ${["first", "second", "third"].indexOf(name) + 1}` })
        .waitFor();
    }
    await page.locator("[data-role=inbox-link]").click();
    const entry = (name: string) => page.locator("[data-entry]", { hasText: `touch ${name}.txt` });
    await entry("third").waitFor();
    const second = await entry("second").getAttribute("data-entry");
    await window.deny(`[data-entry="${second}"]`);
    await entry("third").locator("[data-ask]:focus").waitFor();
    await entry("third").and(page.locator("[data-ready=true]")).waitFor(); // keys act on it
    await entry("third").locator("[data-role=allow][aria-disabled=false]").waitFor();
    await entry("first").evaluate((first) => {
      // A second press of the key, in the moment in which another ask becomes current.
      new MutationObserver((_, observer) => {
        if (first.getAttribute("aria-current") !== "true") return;
        observer.disconnect();
        globalThis.dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
      }).observe(first, { attributes: true });
    });
    await page.keyboard.press("a");
    await entry("first").locator("[data-ask]:focus").waitFor();
    await page.keyboard.press("d");
    await entry("first").locator("[data-role=deny-words]:focus").waitFor();
    await page.keyboard.type("not today");
    await page.keyboard.press("Enter");
    await page.getByText("You're all caught up").waitFor();
    await page.getByRole("heading", { name: "Inbox" }).and(page.locator(":focus")).waitFor();
    await until(() => stage.hub.has("third.txt"));
    expect(stage.hub.has("first.txt")).toBe(false);
  });

  test("[PG40] on the overview it leads to the session's tile", async () => {
    const { page } = window;
    await page.goto(stage.url);
    const { id } = await asking("tiled");
    const tile = page.locator(`[data-session="${id}"]`);
    await window.deny(`[data-session="${id}"]`);
    await tile.locator(".tile-link:focus").waitFor();
  });

  test("[PG26] [PG40] deleting is asked about in a dialog that names what goes; Escape leaves everything", async () => {
    const { page } = window;
    const { id } = await asking("doomed");
    const tile = page.locator(`[data-session="${id}"]`);
    await tile.locator("[data-ask]").waitFor();
    const menu = tile.getByRole("button", { name: "Actions for doomed" });
    const remove = async () => {
      await menu.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: /^Delete/ }).click();
      const dialog = page.getByRole("dialog", { name: "Delete “doomed”?" });
      await dialog.getByRole("button", { name: /^Delete session and \d+ items$/ }).waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor();
    };
    await remove();
    await page.keyboard.press("Escape");
    await tile
      .getByRole("button", { name: "Actions for doomed" })
      .and(page.locator(":focus"))
      .waitFor();
    expect((await stage.hub.admin.session(id)).title).toBe("doomed");
    await remove();
    await page.keyboard.press("Tab");
    await window.settled("[data-role=confirm-yes]");
    await page.keyboard.press("Enter");
    await tile.waitFor({ state: "detached" });
  });

  test("[PG40] a session that is archived or deleted from its row or tile leaves the focus to its neighbor", async () => {
    const { page } = window;
    const { admin, folder } = stage.hub;
    const names = ["Upper", "Middle", "Lower"];
    for (const title of names.toReversed()) await admin.createSession({ folder, title });
    const row = (name: string) => page.locator("[data-sidebar-session]", { hasText: name });
    const tile = (name: string) => page.locator("[data-session]", { hasText: name });
    await page.goto(stage.url);
    for (const name of names) await row(name).waitFor();
    const act = async (inside: Locator, name: string, action: RegExp) => {
      await inside.getByRole("button", { name: `Actions for ${name}` }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: action }).press("Enter");
    };
    await act(row("Upper"), "Upper", /^Archive/);
    await row("Upper").waitFor({ state: "detached" });
    await row("Middle").locator(".session-row-link:focus").waitFor();
    await act(tile("Middle"), "Middle", /^Delete/);
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Tab");
    await window.settled("[data-role=confirm-yes]");
    await page.keyboard.press("Enter");
    await tile("Middle").waitFor({ state: "detached" });
    await tile("Lower").locator(".tile-link:focus").waitFor();
    await page.reload(); // without the notices that offer to undo
    await page.locator("[data-link=live]").waitFor();
  });

  test("[PG62] keys allow and deny while the message is empty, and a second press denies without a reason", async () => {
    const { page } = window;
    await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
    const composer = page.locator("[data-role=composer]");
    const ask = async (file: string) => {
      await window.say(`Go.\n::tool Bash {"command":"touch ${file}"}\n::say Done ${file}.`);
      await window.settled("[data-role=allow]");
      await composer.and(page.locator(":focus")).waitFor();
    };
    await ask("by-key.txt");
    await composer.press("Control+Enter");
    await window.reads("Done by-key.txt.");
    expect(stage.hub.has("by-key.txt")).toBe(true);
    await ask("not-by-key.txt");
    await composer.press("Control+Backspace");
    await page.locator("[data-role=deny-words]:focus").waitFor();
    await window.settled("[data-role=deny]");
    await page.keyboard.press("Control+Backspace");
    await window.reads("Done not-by-key.txt.");
    expect(stage.hub.has("not-by-key.txt")).toBe(false);
    await composer.and(page.locator(":focus")).waitFor();
  });

  test("[PG91] in the inbox stands what finished and what failed while nobody looked", async () => {
    const { page } = window;
    const { admin, folder } = stage.hub;
    await page.goto(`${stage.url}/inbox`);
    await page.locator("[data-link=live]").waitFor();
    const left = page.locator("[data-role=since-you-left]");
    await page.goto("about:blank");
    const start = (text: string) => admin.createSession({ folder, prompt: { text } });
    const { id: finished } = await start("Ends well\n::say All tests pass.");
    const { id: failed } = await start("Ends badly\n::error 403");
    const turns = async (id: string) => (await admin.session(id)).summary.turns;
    await until(async () => (await turns(finished)) > 0 && (await turns(failed)) > 0);
    await page.goto(`${stage.url}/inbox`);
    const row = (name: string) => left.getByRole("listitem").filter({ hasText: name });
    await row("Ends well").getByText("Finished · All tests pass.").waitFor();
    await row("Ends badly").locator("[data-lamp=failed]").waitFor();
    await row("Ends well").getByRole("link").click();
    await window.reads("All tests pass.");
    await page.goto(stage.url);
  });

  test("[PG91] a request that was answered here leaves the composer's edge at once", async () => {
    const { page } = window;
    await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
    await window.say('Go.\n::tool Bash {"command":"touch leaves.txt"}\n::say Made.\n::stall');
    await window.allow();
    await window.reads("Made.");
    expect(await page.locator(".asks-dock [data-ask]").count()).toBe(0);
    await page.locator("[data-role=ask-tag]").getByText("Allowed by you").waitFor();
    await page.locator("[data-role=interrupt]").click();
    await window.shows("idle");
  });

  test("[PG26] a key is taken away after a dialog that names the device", async () => {
    const { page } = window;
    const other = await stage.open({ name: "The old phone" });
    await page.goto(`${stage.url}/settings/devices`);
    await window.button("Revoke The old phone").click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke The old phone" }).waitFor();
    await window.settled("[data-role=confirm-yes]");
    await page.locator("[data-role=confirm-yes]").click();
    await other.page.getByText("This browser is no longer paired").waitFor();
    await other.context.close();
  });

  test("[PG26] an agent that is to ask for nothing is confirmed over the draft of a new session", async () => {
    const { page } = window;
    const before = (await stage.hub.admin.sessions()).length;
    await window.draft();
    await window.choose("permission", /^Autonomous/);
    await page.getByText("runs any command as you without asking").waitFor();
    await page.locator("[data-role=start]").click();
    const question = page.getByRole("dialog", { name: "Run without asking?" });
    await question.waitFor();
    expect(await page.locator(".backdrop").count()).toBe(1);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await page.locator("[data-role=start]").waitFor(); // the draft is still there
    expect((await stage.hub.admin.sessions()).length).toBe(before);
    await page.goto(stage.url); // the draft would keep the permission
  });

  test("[PG27] of an image that goes out over a slow line the per cent grow", async () => {
    const { page } = window;
    await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
    const line = await window.context.newCDPSession(page);
    const slow = (uploadThroughput: number) =>
      line.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await page.locator("[data-role=composer-files]").setInputFiles({
      name: "noise.png",
      mimeType: "image/png",
      buffer: noisyPicture(600),
    });
    await page.getByAltText("noise.png").waitFor();
    await slow(400_000);
    await window.say("Look.");
    const bar = page.getByRole("progressbar", { name: "Sending 1 image" });
    const seen: number[] = [];
    while (seen.length < 3) {
      const part = Number(await bar.getAttribute("aria-valuenow", { timeout: PATIENCE_MS }));
      if (part > (seen.at(-1) ?? 0)) seen.push(part);
    }
    expect(seen.every((part) => part <= 100)).toBe(true);
    await page
      .locator("[data-role=unsent]")
      .getByText(/^Sending, \d+%/)
      .waitFor();
    await slow(-1);
    await window.reads(/Image: source/);
  });

  test("[PG40] after a message was sent by hand, withdrawn or edited again, one goes on writing, and nothing written is lost", async () => {
    const { page } = window;
    const composer = page.locator("[data-role=composer]");
    await window.say("Go.\n::say Busy.\n::stall");
    await focused(page, "[data-role=composer]");
    await window.reads("Busy.");
    await window.say("Later.\n::say Heard.");
    await composer.fill("Written meanwhile.");
    await window.button("Remove: Later.").click();
    await window.button(/^Edit$/).waitFor();
    await focused(page, "[data-role=composer]");
    await window.button(/^Edit$/).click();
    await focused(page, "[data-role=composer]");
    expect(await composer.inputValue()).toBe("Later.\n::say Heard.\nWritten meanwhile.");
    await composer.fill("");
    await page.locator("[data-role=interrupt]").click();
    await window.shows("idle");
  });

  test("Enter that chooses a word in an input method sends, starts and denies nothing", async () => {
    const { page } = window;
    const choose = (role: string) =>
      page.locator(`[data-role=${role}]`).evaluate((box) => {
        const enter = { key: "Enter", isComposing: true, bubbles: true, cancelable: true };
        return box.dispatchEvent(new KeyboardEvent("keydown", enter)); // false: it was taken
      });
    await page.locator("[data-role=composer]").fill("\u65e5");
    expect(await choose("composer")).toBe(true);
    await page.locator("[data-role=composer]").fill("");
    const session = page.url();
    await page.locator("[data-role=new-session]").click();
    await page.locator("[data-role=first-prompt]").fill("\u65e5");
    expect(await choose("first-prompt")).toBe(true);
    await page.locator("[data-role=first-prompt]").fill("");
    await page.goto(session);
    await page.locator("[data-role=composer]").waitFor();
  });

  test("[PG42] what waits unsent says to whom its buttons belong, and nothing reorders around it", async () => {
    const { page, context } = window;
    await context.setOffline(true);
    await window.say("A \u202emessage");
    await window.button("Take back: A ⟨U+202E⟩message").waitFor();
    const row = page.locator("[data-role=unsent]");
    expect(await row.innerText()).not.toContain("\u202e");
    expect(await row.innerHTML()).not.toContain("\u202e");
    await window.button(/^Take back: A/).click();
    await context.setOffline(false);
    await page.locator("[data-role=composer]").fill("");
  });

  test("[IV13] whatever names hold, nothing reorders on the overview, in the inbox, in the settings, or in a toast", async () => {
    const { page } = window;
    const evil = "\u202egnp";
    const { id } = await asking(evil); // its title is made of this, without the mark
    for (const path of ["/inbox", "/settings/devices", "/"]) {
      await page.goto(stage.url + path);
      const seen = path === "/settings/devices" ? "This browser" : "⟨U+202E⟩gnp";
      await page.getByText(seen).first().waitFor();
      expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/\u202e/);
    }
    const tile = page.locator(`[data-session="${id}"]`);
    await tile.locator("[data-ask]").waitFor(); // it has come to its place
    await tile.getByRole("button", { name: /^Actions for gnp/ }).click();
    await page.getByRole("menuitem", { name: "Pin to top" }).click();
    await page.locator(".toast", { hasText: "gnp" }).waitFor();
    await window.deny(`[data-session="${id}"]`);
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/\u202e/);
  });

  test("[IV13] a device that calls itself by what reorders is told why not, and pairs under another name", async () => {
    const { url, code } = await stage.hub.admin.createPairing("viewer");
    stage.hub.secrets.push(code);
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    await page.locator("[data-role=device-name]").fill("\u202egnp");
    await page.locator("[data-role=pair]").click();
    await page.getByRole("alert").getByText("invisible characters").waitFor();
    await page.locator("[data-role=device-name]").fill("gnp");
    await page.locator("[data-role=pair]").click();
    await page.locator("[data-link=live]").waitFor();
    await context.close();
  });

  test("[PG41] [PG42] at 320 pixels the bar is one line, whatever is tapped is high enough, and words are read apart", async () => {
    const phone = await stage.open({
      name: "The phone",
      context: { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true },
    });
    const { page } = phone;
    const question = {
      question: "Which colour?",
      header: "Colour",
      multiSelect: true,
      options: [
        { label: "Red", description: "warm" },
        { label: "Blue", description: "cool" },
      ],
    };
    const { id } = await stage.hub.admin.createSession({
      folder: stage.hub.folder,
      prompt: { text: `Ask.\n::tool AskUserQuestion ${JSON.stringify({ questions: [question] })}` },
    });
    for (const path of [
      "/",
      "/sessions",
      "/new",
      "/inbox",
      "/settings",
      "/settings/devices",
      `/s/${id}`,
    ]) {
      await page.goto(stage.url + path);
      await page.locator("[data-link=live]").waitFor();
      if (path === "/settings") await page.locator("[data-role=settings-search]").waitFor();
      else if (path === "/settings/devices") await page.getByText("This browser").waitFor();
      else if (path === "/sessions") await page.locator(`[data-sidebar-session="${id}"]`).waitFor();
      else if (path === "/new") await page.locator("[data-role=first-prompt]").waitFor();
      else if (path === "/")
        await page.locator(`[data-session="${id}"] [data-role=open-ask]`).waitFor();
      else await phone.ask.waitFor();
      if (path.startsWith("/s/")) await phone.conversation.locator("[data-row=prompt]").waitFor();
      expect(await tooLow(page)).toEqual([]);
      expect(await runTogether(page)).toEqual([]);
      expect(await beyondWindow(page)).toEqual([0, 0]);
      const bar = await page.locator(".page-head").boundingBox();
      expect(bar?.height).toBeLessThan(60);
    }
    await phone.context.close();
  });

  test("[PG5] letting a terminal approve is deaf for the first half second, too", async () => {
    const { page } = window;
    await page.goto(stage.url);
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { elevationSeen: seen });
      new MutationObserver(() => {
        const yes = document.querySelector<HTMLElement>("[data-role=let-approve]");
        if (!yes || seen.length > 0) return;
        seen.push(yes.getAttribute("aria-disabled") ?? "");
        yes.click(); // in the moment it appears
      }).observe(document.body, { subtree: true, childList: true });
    });
    const { id } = await stage.hub.admin.requestElevation({
      name: "a terminal",
      publicKey: createSigningKey().publicKey,
    });
    await page.locator("[data-role=let-approve][aria-disabled=false]").waitFor();
    const seen = await page.evaluate(() => Reflect.get(globalThis, "elevationSeen") as string[]);
    expect(seen).toEqual(["true"]);
    expect((await stage.hub.admin.elevation(id)).status).toBe("waiting");
    await page.locator("[data-role=elevation]").getByRole("button", { name: "Deny" }).click();
    await page.locator("[data-role=elevation]").waitFor({ state: "detached" });
  });

  test("a part of the page that cannot be fetched says so, and the page can be loaded anew", async () => {
    const { id } = await asking("parted");
    const other = await stage.open({ name: "Another", context: { serviceWorkers: "block" } });
    await other.page.route("**/assets/session-page-*", (route) => route.abort());
    await other.page.locator(`[data-session="${id}"] .tile-link`).click();
    await other.page.getByText("couldn't be loaded").waitFor();
    await other.page.unroute("**/assets/session-page-*");
    await other.button("Reload page").click();
    await other.ask.waitFor();
    await other.deny();
    await other.page.route("**/assets/rename-dialog-*", (route) => route.abort());
    await other.page
      .locator(".page-head")
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await other.page.getByRole("menuitem", { name: "Rename…" }).click();
    await other.page.getByText("This dialog couldn't be loaded.").waitFor();
    await other.page.locator("[data-role=composer]").waitFor(); // the page is still there
    await other.context.close();
  });

  test("nothing went wrong in the page", () => {
    const expected = /status of 40[49] .*\/prompts\//; // what was taken back offline had not arrived, or had
    expect(window.troubles().filter((text) => !expected.test(text))).toEqual([]);
  });
}
