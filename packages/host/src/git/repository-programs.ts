import { decodeStrictly } from "./decode.ts";
import { runGit } from "./git.ts";
import type { GitSettings } from "./inert-settings.ts";

const filter = /^filter\.[^]*\.(?:clean|smudge|process)$/;
/** A required filter that is not configured is an error. */
const anyFilter = /^filter\.[^]*\.(?:clean|smudge|process|required)$/;
/** A program that merges files. With `false` in its place such a file is in conflict. */
const mergeDriver = /^merge\.[^]*\.driver$/;
/** Git 2.54 can disable these hooks only by their names. */
const hook = /^hook\.[^]*\.[^.]+$/;

/**
 * Returns settings with which Git runs no hooks, no filters and no merge programs of a folder: those
 * of the repository, from all its settings files, and with `everyone` also those of the user and the
 * system. Undefined if one of them cannot be expressed, or the settings cannot be read; then Git
 * must not run commands that use them.
 */
export async function turnOffPrograms(
  folder: string,
  everyone = false,
): Promise<GitSettings | undefined> {
  const list = ["config", "--list", "--includes", "--show-scope", "--name-only", "-z"];
  const { bytes, trouble } = await runGit(folder, list);
  if (trouble !== undefined) return undefined;
  const parts = bytes.toString("latin1").split("\0"); // one character per byte
  const off: Record<string, string> = {};
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = "", bytesOfName = ""] = parts.slice(at, at + 2);
    if (scope === "command") continue; // disabled for every command
    const isFilter = everyone
      ? anyFilter.test(bytesOfName)
      : ["local", "worktree"].includes(scope) && filter.test(bytesOfName);
    const isHook = hook.test(bytesOfName); // like hooks that are files, all of them are disabled
    const isMergeDriver =
      (everyone || ["local", "worktree"].includes(scope)) && mergeDriver.test(bytesOfName);
    if (!isHook && !isFilter && !isMergeDriver) continue;
    const name = decodeStrictly(Buffer.from(bytesOfName, "latin1"));
    if (name === undefined) return undefined;
    if (isMergeDriver) {
      off[name] = "false";
      continue;
    }
    if (isFilter) off[name] = "";
    off[name.replace(/[^.]+$/, isHook ? "enabled" : "required")] = "false";
  }
  return off;
}
