import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { serious } from "../axe.ts";
import type { SharedStage, Window } from "../stage.ts";

/** The files that were changed: what was changed in them, where, and how one speaks of it. */
export function files(stage: SharedStage): void {
  let window: Window;
  let id: string;
  const doc = () => join(stage.hub.folder, "notes/plan.md");
  const call = (name: string, input: object) => `::tool ${name} ${JSON.stringify(input)}`;
  const edit = (before: string, after: string) =>
    call("Edit", { file_path: doc(), old_string: before, new_string: after });
  /** More than stands in an item. */
  const long = Array.from({ length: 2000 }, (_, nth) => `${nth + 1} of a long file`).join("\n");
  const panel = () => window.page.getByRole("tabpanel");
  const row = (name: string) => panel().getByRole("button", { name });
  const change = (added: string) => {
    const line = window.page.locator("tr.added", { hasText: added });
    return panel().locator("[data-change]").filter({ has: line });
  };
  const chips = () => window.page.locator("[data-role=mention]");
  const away = async () => {
    await chips().getByRole("button").click();
    await chips().waitFor({ state: "detached" });
  };

  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
    const { admin, folder } = stage.hub;
    const text = [
      "Begin.",
      call("Write", { file_path: doc(), content: "# Plan\n\none\ntwo\nthree\n" }),
      "::next",
      edit("one", "the first"),
      "::say <<END",
      ...Array.from({ length: 60 }, (_, nth) => `Thought ${nth}.\n`),
      "END",
      edit("three", "the last"),
      call("Write", { file_path: join(folder, "other.txt"), content: long }),
      "::say Written.",
    ].join("\n");
    ({ id } = await admin.createSession({ folder, mode: "acceptEdits", prompt: { text } }));
    await window.page.goto(`${stage.url}/s/${id}`);
    await window.reads("Written.");
    await window.openPanel("Changes");
  });
  afterAll(() => stage.rest());

  test("[PG28] a changed file shows its changes one after the other; by keyboard, too", async () => {
    await row("other.txt").waitFor();
    await row("plan.md").getByText("+7").waitFor();
    await window.page.getByText("Changes made by commands aren't shown.").waitFor();
    await row("plan.md").press("Enter");
    await change("the last").waitFor();
    const heads = await panel().locator("[data-change] .card-head").allInnerTexts();
    expect(heads.map((head) => head.split("\n")[0])).toEqual(["Write", "Edit", "Edit"]);
    await change("the first").locator("tr.removed").getByText("one").waitFor();
    expect(await window.button("All files").evaluate((it) => it === document.activeElement)).toBe(
      true,
    );
    await window.say(`Go on.\n${edit("two", "the second")}\n::say More.`);
    await change("the second").waitFor(); // as soon as there is one more
    await window.button("All files").press("Enter");
    expect(await row("plan.md").evaluate((it) => it === document.activeElement)).toBe(true);
    await row("plan.md").press("Enter");
  });

  test("[PG28] what is long in a change is fetched when it is wanted", async () => {
    const { page } = window;
    expect(await serious(page, { within: "[data-role=file-changes]" })).toEqual([]);
    await window.button("All files").click();
    await row("other.txt").click();
    await panel().getByText("14 of a long file", { exact: true }).waitFor();
    expect(await panel().getByText("2000 of a long file").count()).toBe(0);
    await panel()
      .getByRole("button", { name: /^Show all/ })
      .click();
    await panel().getByText("2000 of a long file", { exact: true }).waitFor();
    await window.button("All files").click();
    await row("plan.md").click();
  });

  test("[PG28] from a change one comes to where it stands in the conversation", async () => {
    await change("the first").getByRole("button", { name: "Show in conversation" }).click();
    const found = window.conversation.locator(".item-row:focus");
    await found.getByText("the first").waitFor();
    expect(await found.locator(".diff").isVisible()).toBe(true);
    await window.showsInSight(".item-row:focus");
  });

  test("[PG19] a file, a change, lines and words of it are mentioned from the panel", async () => {
    await window.page.locator("[data-role=mention-file]").click();
    await chips().getByText("the file notes/plan.md").waitFor();
    await away();
    await change("the last").getByRole("button", { name: "Mention" }).click();
    await chips().getByText("the Edit call on notes/plan.md").waitFor();
    expect(await chips().getAttribute("data-tip")).toContain("+the last");
    await away();
    await change("the last").locator("tr.added td.code").selectText();
    await panel().locator("xpath=..").locator("[data-role=mention-selection]").click();
    await chips().getByText("notes/plan.md, line 5").waitFor();
    expect(await chips().getAttribute("data-tip")).toEndWith("\n+the last");
    await away();
    await panel().getByText("notes/plan.md").selectText();
    await panel().locator("xpath=..").locator("[data-role=mention-selection]").click();
    await chips().getByText("the Changes panel").waitFor();
    await away();
  });

  test("[PG19] a file is mentioned from the conversation, and arrives by its name alone", async () => {
    const written = window.page.locator("[data-kind=tool]", { hasText: "other.txt" });
    const call = window.conversation.locator(".item-row").filter({ has: written });
    await window.conversation.press("End");
    await call.locator(".item-menu").focus();
    await window.page.keyboard.press("Enter");
    await window.page.getByRole("menuitem", { name: "Mention file" }).click();
    await chips().getByText("the file other.txt").waitFor();
    await window.say("Look.\n::say Seen.");
    await window.conversation.press("End"); // the menu was further up
    await window.reads("Seen.");
    const said = window.conversation.locator("[data-kind=prompt]").last();
    expect(await said.innerText()).toStartWith("About the file other.txt.");
  });

  test("nothing went wrong in the page", () => expect(window.troubles()).toEqual([]));
}
