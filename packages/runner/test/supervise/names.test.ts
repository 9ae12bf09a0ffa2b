import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { uncommittedChanges } from "../../../host/src/control/stop-check.ts";
import { findFiles } from "../../src/supervise/find-files.ts";
import { makeWorktree } from "../../src/supervise/worktree.ts";
import { tempFolder } from "@signalbox/testing/fake-agent";

setDefaultTimeout(180_000);

/** What a shell, Git or a program's options would make something of; each would leave the file `canary`. */
const name = fc
  .tuple(
    fc.constantFrom("-", "--", "--upload-pack=", "--output=canary", "", "~", ":", "ext::"),
    fc.constantFrom(
      "$(touch canary)",
      "`touch canary`",
      ";touch canary;",
      "|touch canary",
      "&&touch canary",
      "\ntouch canary\n",
      "'\"\\ *?[",
      "\u001b[2J\u202e",
      "plain",
    ),
    fc.string({ unit: "grapheme", maxLength: 8 }),
  )
  .map((parts) => parts.join("").replaceAll(/[\0/]/g, "_"))
  .filter((text) => Buffer.byteLength(text) < 100 && text !== "." && text !== "..");

/** Every file below a folder; what Git keeps for itself too. */
const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" });

test("[LK41] names of folders, files and branches are only names, whatever they contain", async () => {
  await fc.assert(
    fc.asyncProperty(name, name, name, async (folderName, fileName, branch) => {
      using place = tempFolder();
      const folder = join(place.path, `x${folderName}`);
      mkdirSync(folder);
      const git = (...args: string[]) =>
        Bun.spawnSync([
          "git",
          "-C",
          folder,
          "-c",
          "user.name=a",
          "-c",
          "user.email=a@b.c",
          ...args,
        ]);
      git("init", "-q");
      git("commit", "-q", "--allow-empty", "-m", "one");
      writeFileSync(join(folder, fileName), "");
      expect(await uncommittedChanges(folder)).toEqual([fileName]);
      expect(await findFiles(folder, "")).toEqual([fileName]);
      await findFiles(folder, branch);
      await makeWorktree(folder, branch).catch(() => {}); // most are no names for a branch
      const made = filesIn(place.path).filter((path) => /(?:^|\/)canary$/.test(path));
      expect(made).toEqual([]);
      expect(readdirSync(process.cwd())).not.toContain("canary");
    }),
    { numRuns: 15 },
  );
});
