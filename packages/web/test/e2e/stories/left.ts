import { afterAll, beforeAll, expect, test } from "bun:test";
import { serious } from "../axe.ts";
import type { SharedStage, Window } from "../stage.ts";

/** Sessions are deleted elsewhere while something is being written for them. */
export function left(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The train" });
  });
  afterAll(() => stage.rest());

  const begin = async () => {
    const address = await window.begin("Begin.\n::say Ready.");
    await window.reads("Ready.");
    await window.shows("idle");
    return new URL(address).pathname.slice("/s/".length);
  };
  const unsent = () => window.page.locator("[data-role=unsent-link]");
  const words = () => window.page.locator("[data-role=left]");

  test("[PG55] a message whose session was deleted elsewhere can be read, thrown away, had again, and begin another session", async () => {
    const { page, context } = window;
    const id = await begin();
    const sending = "**/api/sessions/*/prompts";
    await context.route(sending, (route) => route.abort());
    await window.say("Written on the train.\n::say Begun anew.");
    await page.locator("[data-role=unsent]").waitFor();
    await stage.hub.admin.deleteSession(id);
    await page.getByText("This session was deleted or never existed").waitFor();
    await words().getByText("Written on the train.").waitFor();
    await context.unroute(sending);
    await words().getByText("refused").waitFor();
    await page.goto(stage.url);
    await unsent().click();
    await words().getByText("Written on the train.").waitFor();
    await words()
      .getByRole("button", { name: /^Discard/ })
      .click();
    await words().waitFor({ state: "detached" });
    await window.button("Undo").click();
    await words()
      .getByRole("button", { name: /^Start session with it/ })
      .click();
    expect(await page.locator("[data-role=first-prompt]").inputValue()).toContain("on the train");
    await window.chooseFolder(stage.hub.folder);
    await page.locator("[data-role=start]").click();
    await window.reads("Begun anew.");
    await unsent().waitFor({ state: "detached" });
  });

  test("[PG55] [PG16] who is writing when the session is deleted elsewhere goes on writing, and no letter is lost", async () => {
    const { page } = window;
    const id = await begin();
    await page.locator("[data-role=composer]").fill("Half a sen");
    await stage.hub.admin.deleteSession(id);
    await page.locator("[data-role=left-draft]:focus").pressSequentially("tence, no more");
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLTextAreaElement>("[data-role=left-draft]")?.value ===
        "Half a sentence, no more",
    );
    await page.goto(`${stage.url}/unsent`);
    const draft = page.locator("[data-role=left-draft]");
    await draft.waitFor();
    expect(await draft.inputValue()).toBe("Half a sentence, no more");
    expect(await serious(page)).toEqual([]);
    await words()
      .getByRole("button", { name: /^Discard/ })
      .click();
    await page.getByText("Everything is sent").waitFor();
    expect(await unsent().count()).toBe(0);
  });

  test("[PG55] who deletes a session is told that what was being written goes with it, and it does", async () => {
    const { page } = window;
    await begin();
    await page.locator("[data-role=composer]").fill("Not needed any more");
    await page.locator("body").press("Control+k");
    await page.getByRole("combobox", { name: "Session or action" }).fill("Delete");
    await page.keyboard.press("Enter");
    await page.getByText("and your unsent messages are deleted").waitFor();
    await window.settled("[data-role=confirm-yes]");
    await page.locator("[data-role=confirm-yes]").click();
    await page.waitForURL(`${stage.url}/`);
    expect(await unsent().count()).toBe(0);
  });

  test("nothing went wrong in the page", () => {
    const expected = /ERR_FAILED|status of 404/; // what is not let through, and the session that is gone
    expect(window.troubles().filter((text) => !expected.test(text))).toEqual([]);
  });
}
