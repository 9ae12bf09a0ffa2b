import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SharedStage, Window } from "../stage.ts";
import { until } from "@signalbox/testing/until";

/** What few sessions need, and the ways back. */
export function goingBack(stage: SharedStage): void {
  let window: Window;
  let session: string;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
  });
  afterAll(() => stage.rest());

  const doc = () => join(stage.hub.folder, "doc.txt");
  const write = (content: string) =>
    `::tool Write ${JSON.stringify({ file_path: doc(), content })}\n::say Wrote ${content}.`;
  const openMenu = (text: string) =>
    window.page.locator(".item-row", { hasText: text }).first().locator(".item-menu");
  const choose = (name: string | RegExp) => window.page.getByRole("menuitem", { name }).click();

  test("[PG18] a session is started with a permission, more folders and an MCP server", async () => {
    const { page } = window;
    await window.draft();
    await page.locator("[data-role=first-prompt]").fill(`First.\n${write("one")}`);
    await window.choose("permission", /^Auto-accept edits/);
    await page.locator("[data-role=more]").click();
    await page.getByLabel(/Additional folders/).fill("/tmp");
    await page.getByRole("button", { name: "Add MCP server" }).click();
    await page
      .getByLabel("Command or URL of MCP server 1")
      .fill(`touch ${join(stage.hub.folder, "served.txt")}`);
    await page.keyboard.press("Escape");
    await page.locator("[data-role=start]").click();
    await page.getByText(/needs a name/).waitFor();
    await page.locator("[data-role=more]").click();
    await page.getByLabel("Name of MCP server 1").fill("tools");
    await page.keyboard.press("Escape");
    await page.locator("[data-role=start]").click();
    await page.waitForURL(/\/s\//);
    session = page.url();
    await window.reads("Wrote one.");
    const { options, policy } = await stage.hub.admin.session(session.split("/").at(-1) ?? "");
    expect([policy, options.addDirs]).toEqual(["accept-edits", ["/tmp"]]);
    await (await window.openPanel("MCP")).getByText("tools").waitFor();
    await until(() => stage.hub.has("served.txt")); // the command, with its argument
  });

  /** The address of the session that works in a worktree. */
  let inWorktree = "";

  test("[PG21] a session works in a worktree on a branch; where none can be made, the draft says why", async () => {
    const { page } = window;
    const begun = page.url();
    await window.draft();
    await page.locator("[data-role=worktree-chip]").click();
    await page.locator("[data-role=worktree]").fill("calm/fix");
    await page.keyboard.press("Escape");
    await page
      .locator("[data-role=worktree-chip]", { hasText: "New worktree · calm/fix" })
      .waitFor();
    const draft = page.url();
    await page.locator("[data-role=start]").click();
    await page.getByRole("alert").getByText("is not in a Git repository").waitFor();
    for (const args of [
      ["init", "-q"],
      ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x"],
    ]) {
      Bun.spawnSync(["git", "-C", stage.hub.folder, ...args]);
    }
    await page.locator("[data-role=start]").click();
    await page.waitForURL((url) => url.href !== draft);
    const info = await window.openPanel("Info");
    await info.getByText("calm/fix").waitFor();
    await info.getByText("work.worktrees/calm-fix").waitFor();
    inWorktree = page.url();
    await page.goto(begun);
    await window.reads("Wrote one.");
  });

  test("[PG90] the branch stands in the header, in the sidebar and on the tile, and follows the agent", async () => {
    const { page } = window;
    const before = page.url();
    await page.goto(inWorktree);
    const header = page.locator(".page-head [data-role=branch]");
    const inSidebar = page.locator("[data-role=sidebar] [data-role=branch]");
    await header.getByText("calm/fix", { exact: true }).waitFor();
    await inSidebar.getByText("calm/fix", { exact: true }).waitFor();
    await window.say('Go.\n::tool Bash {"command":"git switch -qc calm/next"}\n::say Switched.');
    await window.allow();
    await window.reads("Switched.");
    await header.getByText("calm/next", { exact: true }).waitFor();
    await page.goto(stage.url);
    const id = new URL(inWorktree).pathname.split("/").at(-1);
    const tile = page.locator(`[data-session="${id}"] [data-role=branch]`);
    await tile.getByText("calm/next", { exact: true }).waitFor();
    await page.goto(before);
    await window.reads("Wrote one.");
  });

  test("[PG19] what is looked at goes along as a chip and arrives as a quote", async () => {
    const { page } = window;
    await page.getByText("Wrote one.").last().selectText();
    await page.locator("[data-role=mention-selection]").click();
    await openMenu("doc.txt").first().focus();
    await page.keyboard.press("Enter");
    await choose("Mention in message");
    const chips = page.locator("[data-role=mention]");
    await chips.nth(1).waitFor();
    await chips.last().getByRole("button").click();
    await chips.nth(1).waitFor({ state: "detached" });
    await window.say(
      `Second.\n::tool Read ${JSON.stringify({ file_path: doc() })}\n${write("two")}`,
    );
    await window.reads("Wrote two.");
    expect(await chips.count()).toBe(0);
    await window.conversation
      .locator("[data-kind=prompt]", { hasText: "About your message" })
      .waitFor();
  });

  test("[PG19] lines of a diff are mentioned by file and number, with their signs", async () => {
    const { page } = window;
    await window.conversation.locator("[data-role=work]").last().click(); // it is folded
    await window.conversation.locator(".diff tr.added td.code").selectText();
    await page.locator("[data-role=mention-selection]").click();
    const chip = page.locator("[data-role=mention]");
    await chip.getByText("doc.txt, line 1").waitFor();
    expect(await chip.getAttribute("data-tip")).toEndWith("\n+two");
    await chip.getByRole("button").click();
  });

  test("[PG20] files go back to a message after what would change was shown", async () => {
    const { page } = window;
    await openMenu("Second.").focus();
    await page.keyboard.press("Enter");
    await choose(/^Restore files/);
    await page.getByRole("dialog").getByText("doc.txt").waitFor();
    expect(readFileSync(doc(), "utf8")).toBe("two");
    await window.settled("[data-role=put-back]");
    await page.locator("[data-role=put-back]").click();
    await page.getByText("1 file put back").waitFor();
    expect(readFileSync(doc(), "utf8")).toBe("one");
  });

  test("[PG20] a message is said differently in a fork, without what came after it", async () => {
    const { page } = window;
    await openMenu("Second.").click();
    await choose("Edit and fork");
    await page.waitForURL((url) => url.href !== session);
    await window.reads("Wrote one.");
    expect(await page.locator("[data-role=composer]").inputValue()).toContain("Second.");
    // It can be told from its original wherever its name stands.
    await page.getByRole("heading", { level: 1, name: /\(fork\)$/ }).waitFor();
    const names = await page.locator("[data-sidebar-session] .session-row-title").allTextContents();
    expect(new Set(names).size).toBe(names.length);
    await window.say("Third.\n::say Forked.");
    await window.reads("Forked.");
    expect(await window.conversation.getByText("Wrote two.").count()).toBe(0);
  });

  test("[PG24] the driver that sessions have unless they say otherwise is chosen in the settings, and a session is shown with its own", async () => {
    const { page } = await stage.open({ name: "The settings" });
    await page.goto(`${stage.url}/settings`);
    const choice = page.getByLabel("How sessions talk to claude-code");
    const choose = async (driver: string) => {
      await choice.selectOption(driver);
      const chosen = async () =>
        (await stage.hub.admin.agents()).find(({ name }) => name === "claude-code")?.driver;
      await until(async () => (await chosen()) === driver);
      await until(async () => (await choice.inputValue()) === driver); // it is shown
    };
    await choose("sdk");
    const { id } = await stage.hub.admin.createSession({
      folder: stage.hub.folder,
      title: "By the SDK",
      prompt: { text: "::say Hello." },
    });
    await choose("stdio");
    expect((await stage.hub.admin.session(id)).driver).toBe("sdk");
    await page.goto(stage.url);
    await page.locator(`[data-session="${id}"]`).getByTitle("the official Agent SDK").waitFor();
    await stage.hub.admin.deleteSession(id);
    await page.close();
  });

  test("[PG17] a browser that may notify tells what begins to wait out of sight, and asks for that in the settings alone", async () => {
    const other = await stage.open({ name: "Behind others" });
    const { page } = other;
    await page.addInitScript(() => {
      const told: string[] = [];
      // As in Chrome on Android: the class is there, and refuses to make one.
      class Stub {
        static permission = "default";
        static requestPermission() {
          told.push("asked");
          Stub.permission = "granted";
          return Promise.resolve("granted");
        }
        constructor() {
          throw new TypeError("Illegal constructor");
        }
      }
      ServiceWorkerRegistration.prototype.showNotification = (title, options) => {
        const data = options?.data as { path: string } | undefined;
        told.push(title, data?.path ?? "");
        return Promise.resolve();
      };
      let hidden = false;
      Object.defineProperty(document, "visibilityState", {
        get: () => (hidden ? "hidden" : "visible"),
      });
      Object.assign(globalThis, { Notification: Stub, told, hide: () => (hidden = true) });
    });
    const told = () => page.evaluate<string[]>("told");
    await page.goto(`${stage.url}/settings/notifications`);
    await page.locator("[data-link=live]").waitFor();
    expect(await told()).toEqual([]);
    await page.getByLabel("Browser notifications").check();
    expect(await told()).toEqual(["asked"]);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.evaluate("hide()");
    const { id } = await stage.hub.admin.createSession({
      folder: stage.hub.folder,
      title: "The quiet one",
      prompt: { text: 'Go.\n::tool Bash {"command":"touch quiet.txt"}\n::say Quiet.' },
    });
    await until(async () => (await told()).length >= 2);
    expect(await told()).toEqual(["asked", "The quiet one needs you", `/s/${id}`]);
    expect(await page.title()).toStartWith("(1) ");
    await stage.hub.admin.deleteSession(id);
    await until(async () => !(await page.title()).startsWith("("));
    await page.close();
  });

  test("nothing went wrong in the page", () => {
    const refused = /status of 409/; // the worktree that could not be made
    expect(window.troubles().filter((text) => !refused.test(text))).toEqual([]);
  });
}
