import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { until } from "@signalbox/testing/until";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { serious } from "../axe.ts";
import { playsAll } from "../plays-all.ts";
import type { SharedStage, Window } from "../stage.ts";

/** What has changed in a session's folder: shown, reviewed, reverted and committed. */
export function changes(stage: SharedStage): void {
  let window: Window;
  let id: string;
  const root = () => join(stage.hub.place, "shop");
  const read = (path: string) => readFileSync(join(root(), path), "utf8");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root(), path)), { recursive: true });
    writeFileSync(join(root(), path), text);
  };
  const git = (...args: string[]) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: stage.hub.place };
    const { exitCode, stdout, stderr } = Bun.spawnSync(["git", "-C", root(), ...args], { env });
    if (exitCode !== 0) throw new Error(stderr.toString());
    return stdout.toString().trim();
  };
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, nth) => `line ${nth + 1}\n`).join("");
  const line = (text: string) => window.page.locator(".change-line", { hasText: text });
  const file = (path: string) => window.page.locator(`[data-change-file="${path}"]`);
  const openTab = async () => {
    await window.page.locator("[data-role=changes-tab]").click();
    await window.page.locator("[data-role=changes-page]").waitFor();
  };
  const comment = async (text: string) => {
    await window.page.locator("[data-role=comment]").fill(text);
    await window.page.locator("[data-role=add-comment]").click();
    await window.page.locator("[data-comment]", { hasText: text }).waitFor();
  };
  const pressNumber = (text: string, options = {}) =>
    line(text).last().locator("[data-role=comment-line]").last().click(options);

  beforeAll(async () => {
    mkdirSync(root());
    git("init", "-q", "-b", "main");
    git("config", "user.email", "person@example.org");
    git("config", "user.name", "Person");
    write("src/rows.txt", numbered(40));
    write("other.txt", "other\n");
    git("add", ".");
    git("commit", "-qm", "Begin");
    window = await stage.open({ name: "The desk" });
    const prompt = { text: "Begin.\n::say Ready." };
    ({ id } = await stage.hub.admin.createSession({ folder: root(), prompt }));
    await window.page.goto(`${stage.url}/s/${id}`);
    await window.reads("Ready.");
  });
  afterAll(() => stage.rest());

  test("[PG97] a change that a command makes is shown as soon as it is made", async () => {
    const { admin } = stage.hub;
    await openTab();
    await window.page.locator("[data-role=no-changes]").waitFor();
    const command = "sed -i 's/line 20/line twenty/; s/line 2$/line two/' src/rows.txt";
    const text = `Change it.\n::tool Bash ${JSON.stringify({ command })}\n::say Changed.`;
    await admin.send(id, { text });
    await window.allow(); // The request is below the changes.
    await line("line twenty").waitFor();
    await line("line two").first().waitFor();
    await window.page.locator('[data-tree-file="src/rows.txt"]').getByText("+2").waitFor();
    write("new.txt", "made by a person\n");
    await line("made by a person").waitFor();
    expect(await serious(window.page, { within: "[data-role=changes-page]" })).toEqual([]);
  });

  test("[PG98] a review of three comments survives a reload and reaches the agent as one message", async () => {
    const { page } = window;
    await pressNumber("line twenty");
    await comment("Why in letters?");
    await pressNumber("line two");
    await page.locator("[data-role=comment]").waitFor();
    await pressNumber("line 4", { modifiers: ["Shift"] });
    await page.getByText(/Comment on lines 2–4/).waitFor();
    await comment("These belong together.");
    await file("new.txt").locator("[data-role=file-menu]").click();
    await page.getByRole("menuitem", { name: "Comment on file" }).click();
    await comment("Do we need it?");
    await page.locator("[data-role=review-bar]").getByText("3 comments").waitFor();
    await until("the hub has them", async () => {
      const all = await stage.hub.admin.drafts();
      return all.find(({ name }) => name === `review/${id}`)?.text.includes("Do we need it?");
    });
    await page.reload();
    await page.locator("[data-comment]", { hasText: "Why in letters?" }).waitFor();
    await page.locator("[data-role=send-review]").click();
    await page.locator("[data-role=review-bar]").waitFor({ state: "detached" });
    await page.locator("[data-role=chat-tab]").click();
    const sent = window.conversation.locator("[data-kind=prompt]").last();
    await sent.getByText("3 comments").waitFor();
    const message = await sent.innerText();
    for (const part of ["src/rows.txt", "line twenty", "lines 2 to 4", "new.txt", "Do we need"]) {
      expect(message).toContain(part);
    }
    await openTab();
    await page.locator('[data-comment][data-state="sent"]').first().waitFor();
    write("src/rows.txt", read("src/rows.txt").replace("line twenty", "line 20."));
    await page.locator("[data-role=changed-since]").waitFor();
  });

  test("[CG8] a hunk is reverted after a preview, and the revert is undone", async () => {
    const { page } = window;
    const before = read("src/rows.txt");
    await page.locator("[data-role=revert-hunk]").first().click();
    await page.locator("[data-role=revert-preview]").getByText("line two").waitFor();
    await window.settled("[data-role=confirm-revert]");
    await page.locator("[data-role=confirm-revert]").click();
    await until("it is reverted", () => read("src/rows.txt").includes("line 2\n"));
    expect(read("src/rows.txt")).toContain("line 20.");
    await page.getByRole("button", { name: "Undo" }).click();
    await until("it is back", () => read("src/rows.txt") === before);
    await line("line two").first().waitFor();
  });

  test("[CG11] what is staged is committed with the message", async () => {
    const { page } = window;
    await file("src/rows.txt").locator("[data-role=file-menu]").click();
    await page.getByRole("menuitem", { name: "Stage file" }).click();
    await page.locator("[data-role=commit]").getByText("Commit 1 staged file").waitFor();
    await page.locator("[data-role=commit-message]").fill("Write numbers in letters");
    await page.locator("[data-role=commit]").click();
    await until("it is committed", () => git("log", "-1", "--format=%s").startsWith("Write"));
    expect(git("status", "--porcelain")).toBe("?? new.txt");
    await page.locator("[data-role=comparison]").click();
    await page.locator("[data-option=head]").click();
    await page.locator('[data-tree-file="src/rows.txt"]').waitFor({ state: "detached" });
    await line("made by a person").waitFor();
  });

  test.if(playsAll)(
    "[PG97] viewed files stay folded after a reload, until they change",
    async () => {
      const { page } = window;
      await file("new.txt").locator("[data-role=viewed]").check();
      await line("made by a person").waitFor({ state: "detached" });
      await page.reload();
      await file("new.txt").locator("[data-role=viewed]:checked").waitFor();
      write("new.txt", "made by another person\n");
      await line("made by another person").waitFor();
      expect(await file("new.txt").locator("[data-role=viewed]").isChecked()).toBe(false);
    },
  );

  test.if(playsAll)("[PG97] a change of 5,000 lines takes fewer than 3,000 elements", async () => {
    const { page } = window;
    write("long.txt", numbered(5000));
    await page.locator('[data-tree-file="long.txt"]').click();
    await line("line 12").first().waitFor();
    expect(await page.locator("*").count()).toBeLessThan(3000);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator("[data-role=toggle-files]").click();
    await page.locator('[data-tree-file="new.txt"]').click();
    await line("made by another person").waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
  });
}
