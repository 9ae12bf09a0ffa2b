import { playsAll } from "../plays-all.ts";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { PATIENCE_MS, type SharedStage, type Window } from "../stage.ts";

/** From the pairing to the first answers. */
export function first(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
  });
  afterAll(() => stage.rest());

  test("[PG1] a code pairs the browser once, leaves the address at once, and a credential stays", async () => {
    const { page } = window;
    expect(page.url()).toBe(`${stage.url}/`);
    await page.reload();
    await page.locator("[data-link=live]").waitFor();
    const { key, elsewhere } = await page.evaluate(async () => {
      const opened = indexedDB.open("signalbox");
      await new Promise((resolve) => opened.addEventListener("success", resolve));
      const kept = opened.result.transaction("keys").objectStore("keys").get("credential");
      await new Promise((resolve) => kept.addEventListener("success", resolve));
      const { privateKey, token } = kept.result as { privateKey: CryptoKey; token?: string };
      const { extractable, usages } = privateKey;
      const places = [
        JSON.stringify(localStorage),
        JSON.stringify(sessionStorage),
        document.cookie,
      ];
      const key = { extractable, usages, token };
      return { key, elsewhere: [...places, location.href, document.title].join("\n") };
    });
    // The page may sign with it, and nobody can read it.
    expect(key).toEqual({ extractable: false, usages: ["sign"], token: undefined });
    expect(elsewhere).not.toContain("sb");
  });

  test("[PG1] a code that is pasted into a page that is open is taken, too", async () => {
    const context = await stage.browser.newContext();
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    await page.goto(stage.url);
    await page.locator("[data-role=code]").waitFor();
    await page.goto((await stage.hub.admin.createPairing("viewer")).url);
    await page.locator("[data-role=pair]:enabled").waitFor();
    expect(page.url()).toBe(`${stage.url}/`);
    await context.close();
  });

  test("[PG95] pairing, an empty overview and a first session each say what comes next", async () => {
    const { page } = window;
    const other = await stage.browser.newContext();
    other.setDefaultTimeout(PATIENCE_MS);
    const pairing = await other.newPage();
    await pairing.goto(stage.url);
    await pairing.getByText("Name this browser and pair it").waitFor();
    await other.close();
    await page.goto(stage.url);
    await page.getByText("Choose a folder and describe the task.").waitFor();
    const next = page.locator("[data-role=first-steps]");
    await window.begin("Begin.\n::say Working.\n::stall");
    await next.getByText("You can close this page").waitFor();
    const remove = () =>
      stage.hub.admin.deleteSession(new URL(page.url()).pathname.split("/").at(-1) ?? "");
    await remove();
    await page.goto(stage.url);
    await window.begin("Begin.\n::say Done.");
    await next.getByText("Send a follow-up below").waitFor();
    await window.say("Go on.\n::say Gone on.");
    await window.reads("Gone on.");
    await window.vanish(next);
    await remove();
    await page.goto(stage.url);
  });

  test("a code of an address that does not work leaves room for another", async () => {
    const context = await stage.browser.newContext();
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    await page.goto(`${stage.url}/#pair=wrong-code-1234`);
    await page.locator("[data-role=pair]").click();
    await page.getByRole("alert").waitFor();
    const { url } = await stage.hub.admin.createPairing("viewer");
    await page.locator("[data-role=code]").fill(url.split("#pair=")[1] ?? "");
    await page.locator("[data-role=pair]").click();
    await page.locator("[data-link=live]").waitFor();
    await context.close();
  });

  test.if(playsAll)(
    "[PG57] a code says whom it makes, and goes when the field says otherwise and when it was used",
    async () => {
      const { page } = window;
      await page.goto(`${stage.url}/settings/devices`);
      const part = page.getByRole("region", { name: "Pair a device" });
      const code = part.locator("[data-role=made-code]");
      const choose = async (role: string) => {
        await part.locator("[data-role=pair-role]").click();
        await page.locator(`[data-option=${role}]`).click();
      };
      await choose("admin");
      await part.locator("[data-role=make-code]").click();
      await part.getByText("Role: Admin.").waitFor();
      await choose("viewer");
      await code.waitFor({ state: "detached" });
      await part.locator("[data-role=make-code]").click();
      await part.getByText("Role: Viewer.").waitFor();
      const made = await code.innerText();
      const context = await stage.browser.newContext();
      context.setDefaultTimeout(PATIENCE_MS);
      const other = await context.newPage();
      await other.goto(`${stage.url}/#pair=${made}`);
      await other.getByText("Viewer: view sessions").waitFor();
      await other.locator("[data-role=device-name]").fill("The one at the wall");
      await other.locator("[data-role=pair]").click();
      await other.locator("[data-link=live]").waitFor();
      await part.getByText("The one at the wall was paired as viewer").waitFor();
      await window.vanish(code);
      await page
        .getByRole("region", { name: "Paired devices" })
        .getByText("The one at the wall")
        .waitFor();
      await context.close();
      await page.goto(stage.url);
    },
  );

  test.if(playsAll)(
    "[PG45] a home that is told while one is about to name a folder gives way to what is typed",
    async () => {
      // What a service worker fetches is not held up.
      const other = await stage.open({ name: "Another", context: { serviceWorkers: "block" } });
      const { page } = other;
      const asked = Promise.withResolvers<void>();
      await page.route("**/api/folders*", async (route) => {
        await asked.promise;
        await route.continue();
      });
      await page.locator("[data-role=new-session]").click();
      await page.locator("[data-role=folder-chip]").click();
      const folder = page.locator("[data-role=folder]");
      await folder.focus();
      asked.resolve();
      await page.locator("[data-role=folder]:not([value=''])").waitFor();
      await page.keyboard.type("/else/where");
      expect(await folder.inputValue()).toBe("/else/where");
      await other.context.close();
    },
  );

  test("a session starts from the draft, streams its answer and ends its turn", async () => {
    await window.begin("Say something.\n::say A first answer, word by word.");
    await window.reads("A first answer, word by word.");
    await window.shows("idle");
  });

  test("what is allowed runs, and only after it was allowed", async () => {
    await window.say('Go.\n::tool Bash {"command":"touch allowed.txt"}\n::say It is made.');
    await window.ask.getByText("touch allowed.txt").first().waitFor();
    expect(stage.hub.has("allowed.txt")).toBe(false);
    await window.allow();
    await window.reads("It is made.");
    expect(stage.hub.has("allowed.txt")).toBe(true);
  });

  test("[PG7] what is denied does not run, and the words reach the agent", async () => {
    await window.say(
      'Go.\n::tool Bash {"command":"touch denied.txt"}\n::say I heard: {{seen (not on a Sunday)}}',
    );
    await window.ask.waitFor();
    await window.openDeny();
    await window.page.locator("[data-role=deny-words]").fill("not on a Sunday");
    await window.button("Deny with message").waitFor();
    await window.deny();
    await window.reads("I heard: not on a Sunday");
    expect(stage.hub.has("denied.txt")).toBe(false);
  });

  test("[PG7] what stands in the composer becomes the message of a denial, and leaves the composer", async () => {
    const { page } = window;
    await window.say(
      'Go.\n::tool Bash {"command":"touch refused.txt"}\n::say I read: {{seen (use the other file)}}',
    );
    await window.ask.waitFor();
    await page.locator("[data-role=composer]").fill("use the other file");
    await window.button("Deny with message").waitFor();
    await window.deny();
    await window.reads("I read: use the other file");
    expect(await page.locator("[data-role=composer]").inputValue()).toBe("");
    expect(stage.hub.has("refused.txt")).toBe(false);
  });

  test("[PG7] a denial can end the turn, too", async () => {
    const { page } = window;
    await window.say('Go.\n::tool Bash {"command":"touch ended.txt"}\n::say Went on.');
    await window.ask.waitFor();
    await page.locator("[data-role=deny-menu]").click();
    await window.settled("[role=menu] [data-role=deny-and-stop]");
    await page.locator("[data-role=deny-and-stop]").click();
    await window.shows("idle");
    expect(await window.conversation.getByText("Went on.", { exact: true }).count()).toBe(0);
    expect(stage.hub.has("ended.txt")).toBe(false);
  });

  test("[PG6] what is edited is what runs", async () => {
    await window.say('Go.\n::tool Bash {"command":"touch wrong.txt"}\n::say Edited.');
    await window.ask.waitFor();
    await window.page.locator("[data-role=edit]").click();
    await window.page.locator("[data-role=edited-input]").fill("touch right.txt");
    await window.allow("allow-edited");
    await window.reads("Edited.");
    expect([stage.hub.has("wrong.txt"), stage.hub.has("right.txt")]).toEqual([false, true]);
  });

  test.if(playsAll)(
    "[PG6] a file to be written is edited line by line, as it will be",
    async () => {
      const { page } = window;
      const input = { file_path: join(stage.hub.folder, "poem.txt"), content: "Roses\nare blue\n" };
      await window.say(`Go.\n::tool Write ${JSON.stringify(input)}\n::say Written.`);
      await window.ask.waitFor();
      await page.locator("[data-role=edit]").click();
      const content = page.locator("[data-role=edited-input][data-field=content]");
      expect(await content.inputValue()).toBe(input.content);
      await content.fill("Roses\nare red\n");
      await window.allow("allow-edited");
      await window.reads("Written.");
      expect(await Bun.file(input.file_path).text()).toBe("Roses\nare red\n");
    },
  );

  test("nothing went wrong in the page", () => expect(window.troubles()).toEqual([]));
}
