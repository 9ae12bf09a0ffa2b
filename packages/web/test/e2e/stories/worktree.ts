import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SharedStage, Window } from "../stage.ts";

/** What becomes of the worktree of a session that is archived. */
export function worktree(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
  });
  afterAll(() => stage.rest());

  test("[CG43] archiving a session asks about its worktree, which is merged and removed", async () => {
    const { hub } = stage;
    const git = (folder: string, ...args: string[]) => {
      const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
      const { stdout } = Bun.spawnSync(["git", "-C", folder, ...identity, ...args]);
      return stdout.toString().trim();
    };
    const main = join(hub.folder, "worktree-story");
    git(hub.folder, "init", "-q", "-b", "main", main);
    git(main, "commit", "-q", "--allow-empty", "-m", "one");
    const { id, folder } = await hub.admin.createSession({
      folder: main,
      worktree: "task",
      title: "Worktree",
    });
    writeFileSync(join(folder, "task.txt"), "task\n");
    const { page } = window;
    await page.goto(`${stage.url}/s/${id}`);
    await page.locator("[data-link=live]").waitFor();
    const archive = async () => {
      await page
        .locator(
          'main [aria-haspopup=menu][aria-label*="Worktree"], header [aria-haspopup=menu][aria-label*="Worktree"]',
        )
        .first()
        .click();
      await page.getByRole("menuitem", { name: "Archive", exact: true }).click();
      await page.locator("[data-role=worktree-dialog]").waitFor();
    };
    const dialog = page.locator("[data-role=worktree-dialog]");
    await archive();
    await dialog.getByText("1 file is not committed.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect((await hub.admin.session(id)).archived).toBe(false);
    git(folder, "add", ".");
    git(folder, "commit", "-q", "-m", "task");
    await archive();
    await dialog.getByText("1 commit is neither pushed nor merged.").waitFor();
    await dialog.getByRole("button", { name: "Merge into main and remove" }).click();
    await until("the session is archived", async () => (await hub.admin.session(id)).archived);
    expect([existsSync(folder), existsSync(join(main, "task.txt"))]).toEqual([false, true]);
  });
}
