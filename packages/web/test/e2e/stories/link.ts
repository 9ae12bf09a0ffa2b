import { playsAll } from "../plays-all.ts";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { SharedStage, Window } from "../stage.ts";

/** The hub goes away, comes back, and takes a key away. */
export function link(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The lost phone" });
    await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
    await window.shows("idle");
  });
  afterAll(() => stage.rest());

  test("[PG10] a hub that is killed and started is caught up with, and an open ask is still there", async () => {
    await window.say('Go.\n::tool Bash {"command":"touch survived.txt"}\n::say It survived.');
    await window.ask.waitFor();
    stage.hub.serving.child.kill("SIGKILL");
    await window.page.locator("[data-link=offline]").waitFor();
    await window.shows("offline");
    await window.ask.getByText("You can answer when the connection is back").waitFor();
    await window.page.locator("[data-role=allow][aria-disabled=true]").waitFor();
    await window.page.locator("[data-role=interrupt][aria-disabled=true]").click({ force: true });
    await window.page.getByText("Couldn't interrupt the turn").waitFor();
    await stage.hub.serveAgain();
    await window.page.locator("[data-link=live]").waitFor();
    await window.shows("needs you");
    await window.allow();
    await window.reads("It survived.");
    expect(stage.hub.has("survived.txt")).toBe(true);
  });

  test("[PG11] what is typed offline is kept, shown as unsent, and sent once when the network is back", async () => {
    const { page, context } = window;
    await window.shows("idle");
    await context.setOffline(true);
    await stage.hub.stopHub(); // a browser cuts no socket that stands: the hub's going away does
    await page.locator("[data-link=offline]").waitFor();
    await window.say("From the train.\n::say Arrived.");
    await page.locator("[data-role=unsent]").getByText("Waiting to send").waitFor();
    await stage.hub.serveAgain();
    await context.setOffline(false);
    await window.reads("Arrived.");
    await window.shows("idle");
    const said = await window.conversation.locator("[data-kind=prompt]").allInnerTexts();
    expect(said.filter((text) => text.includes("From the train."))).toHaveLength(1);
    await window.vanish(page.locator("[data-role=unsent]"));
  });

  test.if(playsAll)(
    "[PG48] what is taken back while it is being sent is not sent, or the page says that it was",
    async () => {
      const { page } = window;
      await window.shows("idle");
      // While the agent works, what arrives waits at the hub.
      await window.say('Go.\n::tool Bash {"command":"touch frozen.txt"}\n::say Thawed.');
      await window.ask.waitFor();
      stage.hub.serving.child.kill("SIGSTOP");
      try {
        await window.say("Into the ice.\n::say Never.");
        const row = page.locator("[data-role=unsent]", { hasText: "Into the ice." });
        await row.getByRole("button", { name: /^Take back/ }).click();
        await row.getByText("Removing…").waitFor();
        expect(await page.locator("[data-role=composer]").inputValue()).toBe("");
      } finally {
        stage.hub.serving.child.kill("SIGCONT");
      }
      await written(page, "Into the ice.");
      await page.locator("[data-role=unsent], [data-role=queued]").waitFor({ state: "detached" });
      await page.locator("[data-role=composer]").fill("");
      await page.locator("[data-link=live]").waitFor();
      await window.allow();
      await window.reads("Thawed.");
      await window.shows("idle");
      const said = await window.conversation.locator("[data-kind=prompt]").allInnerTexts();
      expect(said.filter((text) => text.includes("Into the ice."))).toEqual([]);
    },
  );

  test.if(playsAll)("[PG48] what is taken back in one window is not sent by another", async () => {
    const { page, context } = window;
    const other = await context.newPage();
    await other.goto(page.url());
    await other.locator("[data-link=live]").waitFor();
    await stage.hub.stopHub();
    await page.locator("[data-link=offline]").waitFor();
    await window.say("Typed here.\n::say Wrong.");
    const there = other.locator("[data-role=unsent]", { hasText: "Typed here." });
    await there.getByRole("button", { name: /^Take back/ }).click();
    await page.locator("[data-role=unsent]").waitFor({ state: "detached" });
    await written(other, "Typed here.");
    await other.locator("[data-role=composer]").fill("");
    await stage.hub.serveAgain();
    await page.locator("[data-link=live]").waitFor();
    await window.say("Typed instead.\n::say Right.");
    await window.reads("Right.");
    const said = await window.conversation.locator("[data-kind=prompt]").allInnerTexts();
    expect(said.filter((text) => text.includes("Typed here."))).toEqual([]);
    await other.close();
  });

  test("[PG12] without its hub the page starts from its own copy, and says that it is not live", async () => {
    const { page } = window;
    await window.keeps('"text":"Arrived."');
    await window.keeps(`"id":"${page.url().split("/s/")[1]}"`); // the board's copy knows the session too
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await stage.hub.stopHub();
    await page.reload();
    await window.reads("Arrived.");
    await window.shows("offline");
    await window.say("Before you wake.\n::say Awake.");
    await page.locator("[data-role=unsent]").waitFor();
    await page.reload();
    await page.locator("[data-role=unsent]").getByText("Before you wake.").waitFor();
    await stage.hub.serveAgain();
    await window.reads("Awake.");
    const said = await window.conversation.locator("[data-kind=prompt]").allInnerTexts();
    expect(said.filter((text) => text.includes("Before you wake."))).toHaveLength(1);
  });

  test.if(playsAll)(
    "[PG56] opened without its hub the page says since when, and what waited when it was last heard",
    async () => {
      const { page } = window;
      await window.shows("idle");
      await window.say('Go.\n::tool Bash {"command":"touch later.txt"}\n::say It was later.');
      await window.ask.waitFor();
      await window.keeps('"openAsks":1');
      await stage.hub.stopHub();
      await page.locator("[data-link=offline]").waitFor();
      const address = page.url();
      await page.goto(`${stage.url}/inbox`);
      await page.locator("[data-role=connection]").getByText("Offline, last connected").waitFor();
      await page.getByText("Open requests are shown when the connection is back").waitFor();
      await page.locator("[data-role=seen-last]").getByText("1 request").waitFor();
      await window.isTitled("(1?) ");
      await page.goto(stage.url);
      await page.getByText("Needed you when last connected").waitFor();
      await stage.hub.serveAgain();
      await page.goto(address);
      await page.locator("[data-link=live]").waitFor();
      await window.isTitled("(1) ");
      await window.allow();
      await window.reads("It was later.");
    },
  );

  test.if(playsAll)(
    "[PG12] a hub that hangs keeps no reload blank: the copy is shown, and says that it is not live",
    async () => {
      const { page } = window;
      await window.shows("idle");
      await window.keeps('"text":"It was later."');
      stage.hub.serving.child.kill("SIGSTOP");
      try {
        await page.reload();
        await window.reads("It was later.");
        await window.shows("offline");
      } finally {
        stage.hub.serving.child.kill("SIGCONT");
      }
      await page.locator("[data-link=live]").waitFor();
      await window.shows("idle");
    },
  );

  test("[PG70] a hub that hangs while the page is open is shown, and so is its return", async () => {
    const { page } = window;
    await window.say('Go.\n::tool Bash {"command":"touch waits.txt"}\n::say It waited.');
    await page.locator("[data-role=allow][aria-disabled=false]").waitFor();
    stage.hub.serving.child.kill("SIGSTOP");
    try {
      await page.locator("[data-link=unresponsive]").waitFor();
      await page
        .locator("[data-role=connection]")
        .getByText("The hub isn't responding")
        .first()
        .waitFor();
      await page.locator("[data-role=allow][aria-disabled=true]").waitFor();
    } finally {
      stage.hub.serving.child.kill("SIGCONT");
    }
    await page.locator("[data-link=live]").waitFor();
    await window.allow();
    await window.reads("It waited.");
    await window.shows("idle");
  });

  test("[PG2] a device whose key was taken away is told so, and shows nothing more", async () => {
    const phone = (await stage.hub.admin.devices()).find(({ name }) => name === "The lost phone");
    await stage.hub.admin.revokeDevice(phone?.id ?? "");
    await window.page.getByText("This browser is no longer paired").waitFor();
    await window.button("Pair again").click();
    await window.page.locator("[data-role=code]").waitFor();
  });

  test("nothing went wrong in the page", () => {
    const expected = /401|Failed to load resource/; // the key that was taken away
    expect(window.troubles().filter((text) => !expected.test(text))).toEqual([]);
  });
}

/** Waits until the composer has these words in it. */
async function written(page: Page, words: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      document.querySelector<HTMLTextAreaElement>("[data-role=composer]")?.value.includes(wanted),
    words,
  );
}
