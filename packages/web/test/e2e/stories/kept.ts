import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { noisyPicture } from "../noisy-picture.ts";
import type { SharedStage, Window } from "../stage.ts";
import { until } from "@signalbox/testing/until";

/** Nothing that is being written is lost, and nothing that is read turns around. */
export function kept(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open();
  });
  afterAll(() => stage.rest());

  const value = (page: Page, selector: string) => page.locator(selector).inputValue();
  const holds = (page: Page, selector: string, text: string) =>
    page.waitForFunction(
      ([where, what]) => document.querySelector<HTMLTextAreaElement>(where)?.value === what,
      [selector, text] as const,
    );

  test("[PG45] at a hub without sessions one key and words begin one, in the home of its runner", async () => {
    const { page } = window;
    await page.locator("body").press("Alt+n");
    await page.locator("[data-role=first-prompt]").fill("Hello.\n::say Begun.");
    await page.locator("[data-role=first-prompt]").press("Enter");
    await page.waitForURL(/\/s\//);
    await window.reads("Begun.");
  });

  test("[PG45] what hinders a start is told beside the button, and in sight", async () => {
    const { page } = window;
    const session = page.url();
    const alert = page.getByRole("main").getByRole("alert");
    const inSight = async () => {
      await alert.waitFor();
      const box = await alert.boundingBox();
      const height = page.viewportSize()?.height ?? 0;
      return box && box.y > 0 && box.y + box.height <= height;
    };
    await window.draft("/does/not/exist");
    await page.locator("[data-role=start]").click();
    await alert.getByText("/does/not/exist").waitFor();
    expect(await inSight()).toBe(true);
    await window.chooseFolder("");
    await page.locator("[data-role=first-prompt]").press("Enter");
    await alert.getByText("Choose a folder first").waitFor();
    expect(await inSight()).toBe(true);
    await page.goto(session);
  });

  test("[PG44] the first prompt of a session outlives leaving and a reload", async () => {
    const { page } = window;
    const session = page.url();
    const first = "[data-role=first-prompt]";
    await page.locator("[data-role=new-session]").click();
    await page.locator(first).fill("A long thought");
    await page.locator("[data-role=inbox-link]").click();
    await page.locator(first).waitFor({ state: "detached" });
    await page.reload();
    await page.locator("[data-role=new-session]").click();
    await holds(page, first, "A long thought");
    await page.locator(`${first}:focus`).pressSequentially(", ended");
    await holds(page, first, "A long thought, ended");
    await page.locator(first).fill("");
    await page.goto(session);
  });

  test("[PG18] the draft of a session takes images, commands and files as any message does", async () => {
    const { page } = window;
    writeFileSync(join(stage.hub.folder, "reader-notes.md"), "notes");
    await window.draft();
    const first = page.locator("[data-role=first-prompt]");
    const suggestion = (name: string) => page.getByRole("option", { name });
    await first.fill("/comp");
    await suggestion("/compact").first().waitFor();
    await first.fill("::say Read.\nSee @reader-no");
    await suggestion("reader-notes.md").waitFor();
    await first.press("Enter");
    expect(await first.inputValue()).toBe("::say Read.\nSee @reader-notes.md ");
    const picture = { name: "a.png", mimeType: "image/png", buffer: noisyPicture(20) };
    await page.locator("[data-role=composer-files]").setInputFiles([picture, picture]);
    const remove = page.getByRole("button", { name: "Remove a.png" });
    await remove.nth(1).click();
    await until(async () => (await remove.count()) === 1);
    await page.reload();
    await page.locator("[data-role=new-session]").click();
    await remove.waitFor(); // the draft is kept with its image
    await window.chooseFolder(stage.hub.folder);
    await window.choose("effort", "Low");
    await first.press("Shift+Tab");
    await page.locator("[data-role=permission][data-value=accept-edits]").waitFor();
    await page.locator("[data-role=start]").click();
    await window.conversation.locator("[data-kind=prompt] img").waitFor();
    await window.conversation.getByText("@reader-notes.md").first().waitFor();
    const id = new URL(page.url()).pathname.slice("/s/".length);
    const made = (await stage.hub.admin.sessions()).find((session) => session.id === id);
    expect(made).toMatchObject({ policy: "accept-edits", options: { effort: "low" } });
  });

  test("[PG78] find reaches the middle of a long output, which unfolds", async () => {
    const { page } = window;
    const command = "seq -f 'line %g of many' 1 600; echo a needle; seq -f 'line %g more' 1 600";
    const filler = Array.from({ length: 900 }, (_, nth) => `Sentence ${nth} of a long answer.\n`);
    const lines = [
      "Count.",
      `::tool Bash ${JSON.stringify({ command, description: "count" })}`,
      "::say <<END",
      ...filler,
      "And a needle.\n",
      ...filler,
      "END",
    ];
    const { admin, folder } = stage.hub;
    const { id } = await admin.createSession({ folder, prompt: { text: lines.join("\n") } });
    await page.goto(`${stage.url}/s/${id}`);
    await window.shows("idle");
    await page.keyboard.press("Control+f");
    await page.locator("[data-role=find] input").fill("a needle");
    // The prompt with the script, the output and the answer; of two of them the page has only the ends.
    await page.locator("[data-role=find] [role=status]").getByText("3 matches").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await window.conversation.locator("pre").getByText("line 600 of many").waitFor();
    await page.keyboard.press("Escape");
  });

  test("[PG77] a PDF and a picture of 40 megapixels are attached, sent, shown and opened", async () => {
    const { page } = window;
    await window.begin("Look.\n::say Ready.");
    await window.reads("Ready.");
    const vast = await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(7728, 5368);
      canvas.getContext("2d")?.fillRect(0, 0, 4000, 4000);
      const blob = await canvas.convertToBlob({ type: "image/jpeg" });
      return [...new Uint8Array(await blob.arrayBuffer())];
    });
    const pdf = Buffer.from(`%PDF-1.4\n${"% filler\n".repeat(8000)}%%EOF\n`);
    const files = page.locator("[data-role=composer-files]");
    await files.setInputFiles([
      { name: "vast.jpg", mimeType: "image/jpeg", buffer: Buffer.from(vast) },
      { name: "plan.pdf", mimeType: "application/pdf", buffer: pdf },
      { name: "torn.png", mimeType: "image/png", buffer: noisyPicture(20).subarray(0, 30) },
    ]);
    await page.getByText("torn.png is damaged and can't be read").waitFor();
    await page
      .getByText("vast.jpg was scaled down from 7728 × 5368 to 2576 × 1789 pixels.")
      .waitFor();
    await page.locator("[data-role=send]").click();
    const prompt = window.conversation.locator("[data-kind=prompt]").last();
    const picture = prompt.locator("img");
    await picture.waitFor();
    expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(2576);
    const opened = page.context().waitForEvent("page");
    await prompt.getByRole("button", { name: "Open plan.pdf" }).click();
    expect((await opened).url()).toStartWith("blob:");
    await (await opened).close();
  });

  test("[PG76] a draft is on the other device a moment later, and of two texts the other one is offered", async () => {
    const { page } = window;
    const address = await window.begin("Write.\n::say Ready.");
    await window.reads("Ready.");
    const phone = await stage.open({ name: "Phone" });
    const field = "[data-role=composer]";
    await phone.page.goto(address);
    await page.locator(field).fill("Begun at the desk");
    await holds(phone.page, field, "Begun at the desk");
    await phone.page.locator(field).press("End");
    await phone.page.locator(field).pressSequentially(", ended on the phone");
    await holds(page, field, "Begun at the desk, ended on the phone");
    await phone.context.setOffline(true);
    await phone.page.locator("[data-link=live]").waitFor({ state: "detached" });
    await phone.page.locator(field).fill("From the train");
    await page.locator(field).fill("From the desk");
    await until("the hub has the desk's", async () =>
      (await stage.hub.admin.drafts()).some(({ text }) => text === "From the desk"),
    );
    await phone.context.setOffline(false);
    const offer = phone.page.locator("[data-role=draft-offer]");
    await offer.getByText("From the desk").waitFor();
    expect(await value(phone.page, field)).toBe("From the train");
    await offer.getByRole("button", { name: "Use that draft" }).click();
    await holds(phone.page, field, "From the desk");
    await phone.button("Undo").click();
    await holds(phone.page, field, "From the train");
    await holds(page, field, "From the train");
    await phone.page.locator(field).press("Enter");
    await holds(page, field, "");
    await phone.context.close();
  });

  test("[PG44] words of an answer that is not given yet outlive leaving and a reload, and go with the ask", async () => {
    const { page } = window;
    const command = JSON.stringify({ command: "touch kept.txt" });
    await window.begin(`Go.\n::tool Bash ${command}\n::say Done.`);
    await window.openDeny();
    await window.ask.locator("[data-role=deny-words]").fill("Rather not");
    const address = page.url(); // another session was open before
    await page.goto(stage.url);
    await page.goto(address);
    await holds(page, "[data-role=deny-words]", "Rather not");
    await window.ask.locator("[data-role=edit]").click();
    await page.locator("[data-role=edited-input]").fill("touch other.txt");
    await page.keyboard.press("Escape");
    await window.ask.locator("[data-role=edit]").click();
    expect(await value(page, "[data-role=edited-input]")).toBe("touch other.txt");
    await page.reload();
    await holds(page, "[data-role=edited-input]", "touch other.txt");
    await window.button("Discard changes").click();
    await window.deny();
    await window.shows("idle");
    const left = () =>
      page.evaluate(async () => {
        const open = indexedDB.open("signalbox");
        await new Promise((resolve) => open.addEventListener("success", resolve));
        const all = open.result.transaction("drafts").objectStore("drafts").getAllKeys();
        await new Promise((resolve) => all.addEventListener("success", resolve));
        open.result.close();
        return all.result.map(String).filter((name) => name.startsWith("ask/"));
      });
    await until(async () => (await left()).length === 0);
  });

  test("[PG44] an answer in words of one's own outlives a reload", async () => {
    const { page } = window;
    const options = [
      { label: "A", description: "a" },
      { label: "B", description: "b" },
    ];
    const questions = [{ question: "Which?", header: "W", multiSelect: false, options }];
    await window.say(
      `Ask.\n::tool AskUserQuestion ${JSON.stringify({ questions })}\n::say Thanks.`,
    );
    await window.ask.getByLabel("Other", { exact: true }).check();
    const own = window.ask.getByLabel("Your own answer to: Which?");
    await own.fill("Neither of them");
    await page.reload();
    await own.waitFor();
    expect(await own.inputValue()).toBe("Neither of them");
    await window.ask.locator("[data-role=answer]").click();
    await window.reads("Thanks.");
    await window.shows("idle");
  });

  test("[PG44] the fields of a server's form outlive a reload and going elsewhere, and arrive", async () => {
    const { page } = window;
    const server = {
      command: process.execPath,
      args: [join(import.meta.dirname, "../form-server.ts")],
    };
    const { id } = await stage.hub.admin.createSession({
      folder: stage.hub.folder,
      mcpServers: { charts: server },
      prompt: { text: "Go.\n::tool mcp__charts__draw {}\n::say Drawn: {{seen (accept: [^}]+)}}." },
    });
    await page.goto(`${stage.url}/s/${id}`);
    await window.ask.and(page.locator("[data-kind=permission]")).waitFor();
    await window.allow();
    const form = page.locator("[data-kind=elicitation][data-status=open]");
    const title = form.getByLabel("Title");
    await title.fill("Ships\nby year");
    await form.getByLabel("Kind (optional)").click();
    await page.locator("[data-option=line]").click();
    await page.reload();
    await title.waitFor();
    expect(await title.inputValue()).toBe("Ships\nby year");
    await page.locator("[data-role=inbox-link]").click();
    await page.waitForURL(/inbox/);
    await title.waitFor();
    expect(await title.inputValue()).toBe("Ships\nby year");
    await title.fill("Ships");
    await page.goto(`${stage.url}/s/${id}`);
    await title.waitFor();
    expect(await title.inputValue()).toBe("Ships");
    expect(await form.getByLabel("Kind (optional)").getAttribute("data-value")).toBe("line");
    await window.allow();
    await window.reads('Drawn: accept: {"title":"Ships","kind":"line"');
  });

  test("[PG26] a message that is withdrawn comes back whole: with its image, and however long", async () => {
    const { page } = window;
    const composer = page.locator("[data-role=composer]");
    const queued = page.locator("[data-role=queued]");
    await window.say("Go.\n::say Busy.\n::stall");
    await window.reads("Busy.");
    const picture = { name: "noise.png", mimeType: "image/png", buffer: noisyPicture(40) };
    await page.locator("[data-role=composer-files]").setInputFiles(picture);
    await page.getByAltText("noise.png").waitFor();
    await window.say("Look at it");
    await window.button("Remove: Look at it").click();
    await page.getByAltText("noise.png").waitFor();
    expect(await composer.inputValue()).toBe("Look at it");
    await window.button("Undo").click();
    await queued.getByText("Look at it (1 image)").waitFor();
    await holds(page, "[data-role=composer]", "");
    expect(await page.getByAltText("noise.png").count()).toBe(0);
    await window.button("Remove: Look at it").click();
    await window.button("Remove noise.png").click();
    const long = "word ".repeat(10_000);
    await window.say(long);
    await window.button(/^Remove: word/).click();
    await holds(page, "[data-role=composer]", long);
    await composer.fill("");
    await page.locator("[data-role=interrupt]").click();
    await window.shows("idle");
  });

  test("[PG94] a browser whose storage is full or forbidden says that nothing is saved, and goes on", async () => {
    const full = await stage.open({ name: "The full one" });
    const notSaved = full.page.locator("[data-role=not-saved]");
    const { id } = await stage.hub.admin.createSession({ folder: stage.hub.folder });
    await full.page.goto(`${stage.url}/s/${id}`);
    const composer = full.page.locator("[data-role=composer]");
    await composer.waitFor();
    await full.page.evaluate(() => {
      const { prototype } = IDBObjectStore;
      const put = Object.getOwnPropertyDescriptor(prototype, "put") ?? {};
      Object.assign(globalThis, { freeSpace: () => Object.defineProperty(prototype, "put", put) });
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await composer.fill("Written while it is full");
    await notSaved.getByText("Its storage is full or blocked.").waitFor();
    await full.page.evaluate("freeSpace()");
    await composer.fill("Written when there is room");
    await full.vanish(notSaved);
    await full.context.close();

    const forbidden = await stage.open({
      name: "The private one",
      beforeLoad: () => {
        IDBFactory.prototype.open = () => {
          throw new DOMException("forbidden", "SecurityError");
        };
      },
    });
    await forbidden.page.getByText("It doesn't store data here").waitFor();
    await forbidden.begin("Begin.\n::say Worked all the same.");
    await forbidden.reads("Worked all the same.");
    await forbidden.context.close();
  });

  test("[PG44] two windows of one browser write one text", async () => {
    const { page } = window;
    const other = await window.context.newPage();
    await other.goto(page.url());
    await other.locator("[data-role=composer]").waitFor();
    await page.locator("[data-role=composer]").fill("A long text of the first window");
    await holds(other, "[data-role=composer]", "A long text of the first window");
    await other.locator("[data-role=composer]").pressSequentially("!");
    await holds(page, "[data-role=composer]", await value(other, "[data-role=composer]"));
    expect(await value(page, "[data-role=composer]")).toContain("A long text of the first window");
    await page.locator("[data-role=composer]").fill("");
    await other.close();
  });

  test("[IV18] what is copied has the characters that marks stand for", async () => {
    const { page } = window;
    await window.say("Say it.\n::say before \u202eafter");
    const text = page.locator("[data-kind=text]", { hasText: "before U+202Eafter" }).last();
    await text.waitFor();
    const copied = await text.evaluate((element) => {
      getSelection()?.selectAllChildren(element);
      let got = "";
      const listen = (event: ClipboardEvent) => {
        got = event.clipboardData?.getData("text/plain") ?? "";
      };
      addEventListener("copy", listen);
      document.execCommand("copy");
      removeEventListener("copy", listen);
      getSelection()?.removeAllRanges();
      return got;
    });
    expect(copied.trim()).toBe("before \u202eafter");
    expect(await text.innerText()).toContain("before U+202Eafter");
    await window.shows("idle");
    const wrongFolder = /status of 422|status of 409 .*folder=%2Fdoes%2Fnot%2Fexist/;
    expect(window.troubles().filter((text) => !wrongFolder.test(text))).toEqual([]);
  });
}
