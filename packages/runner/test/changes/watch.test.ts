import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FrameToHubOfType } from "@signalbox/api/link";
import { until } from "@signalbox/testing/until";
import { describe, expect, test } from "bun:test";
import { FolderWatcher } from "../../src/changes/folder-watcher.ts";
import { FolderWatches } from "../../src/changes/folder-watches.ts";
import { openRepositoryStage } from "./repository-stage.ts";

/** Watches the stage's folder, and collects what is reported: paths, or `any`. */
async function watchFolder(root: string, directories?: number) {
  const reported: string[] = [];
  const limits = { pollMs: 20, ...(directories !== undefined && { directories }) };
  const watcher = new FolderWatcher(root, (paths) => reported.push(...(paths ?? ["any"])), limits);
  await watcher.start();
  await until("it has begun", () => reported.includes("any"));
  reported.length = 0;
  return {
    watcher,
    reported,
    reports: (path: string) =>
      until(`${path} is reported`, () => reported.includes(path), { seen: () => reported }),
    [Symbol.dispose]: () => watcher.close(),
  };
}

describe("a folder that somebody looks at is watched", () => {
  test("[CG30] files that are changed, made and deleted are reported, in new directories, too", async () => {
    const stage = openRepositoryStage({ "src/a.ts": "a\n", "b.md": "b\n" });
    using watch = await watchFolder(stage.root);
    stage.write("src/a.ts", "changed\n");
    await watch.reports("src/a.ts");
    rmSync(join(stage.root, "b.md"));
    await watch.reports("b.md");
    const before = watch.watcher.size;
    mkdirSync(join(stage.root, "src/new/deep"), { recursive: true });
    await until("the new directories are watched", () => watch.watcher.size === before + 2);
    await watch.reports("any"); // what may have been made in them before they were watched
    stage.write("src/new/deep/c.ts", "c\n");
    await watch.reports("src/new/deep/c.ts");
  });

  test("[CG30] what Git ignores is neither watched nor reported", async () => {
    const stage = openRepositoryStage({ ".gitignore": "node_modules\n*.log\n", "a.ts": "a\n" });
    for (let nth = 0; nth < 30; nth++) stage.write(`node_modules/p${nth}/index.js`, "x\n");
    using watch = await watchFolder(stage.root);
    expect(watch.watcher.size).toBeLessThan(6);
    stage.write("node_modules/p1/index.js", "y\n");
    stage.write("debug.log", "line\n");
    stage.write("a.ts", "b\n");
    await watch.reports("a.ts");
    expect(watch.reported).toEqual(["a.ts"]);
  });

  test("[CG30] staging and committing are reported, and looking is not", async () => {
    const stage = openRepositoryStage({ "a.ts": "a\n" });
    using watch = await watchFolder(stage.root);
    stage.write("a.ts", "b\n");
    await watch.reports("a.ts");
    stage.git("add", "a.ts");
    await watch.reports("any");
    watch.reported.length = 0;
    stage.git("commit", "-qm", "two");
    await watch.reports("any");
  });

  test("[CG30] with more directories than the limit, the folder is looked at every few seconds", async () => {
    const stage = openRepositoryStage({ "a.ts": "a\n" });
    for (let nth = 0; nth < 20; nth++) stage.write(`d${nth}/f.ts`, "f\n");
    stage.git("add", ".");
    stage.git("commit", "-qm", "two");
    using watch = await watchFolder(stage.root, 5);
    expect(watch.watcher.size).toBeLessThanOrEqual(8);
    for (let nth = 0; nth < 20; nth++) stage.write(`d${nth}/f.ts`, "g\n");
    await watch.reports("any");
    expect(watch.reported).toContain("any");
  });

  test("[CG30] two viewers of one folder share a watcher, and a driver's folder has to be allowed", async () => {
    const stage = openRepositoryStage({ "a.ts": "a\n" });
    const frames: FrameToHubOfType<"folder-changed">[] = [];
    const watches = new FolderWatches((frame) => frames.push(frame));
    const saw = (watch: string) => frames.some((frame) => frame.watch === watch);
    const { root: folder } = stage;
    watches.receive({ type: "folder-watch", watch: "one", folder });
    watches.receive({ type: "folder-watch", watch: "two", folder, allowed: [folder] });
    watches.receive({ type: "folder-watch", watch: "three", folder, allowed: ["/elsewhere"] });
    await until("it has begun", () => saw("one"));
    stage.write("a.ts", "b\n");
    await until("both were told", () => saw("one") && saw("two"));
    expect(saw("three")).toBe(false);
    watches.receive({ type: "folder-leave", watch: "one" });
    frames.length = 0;
    stage.write("a.ts", "c\n");
    await until("the other was told", () => saw("two"));
    expect(saw("one")).toBe(false);
    watches.closeAll();
  });
});
