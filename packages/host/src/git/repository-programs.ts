import { decodeStrictly } from "./decode.ts";
import { runGit } from "./git.ts";
import type { GitSettings } from "./inert-settings.ts";

const filter = /^filter\.[^]*\.(?:clean|smudge|process)$/;
/** A filter that is required and not set up is an error. */
const anyFilter = /^filter\.[^]*\.(?:clean|smudge|process|required)$/;
/** A program that merges files. With `false` in its place such a file is in conflict. */
const mergeDriver = /^merge\.[^]*\.driver$/;
/** Git 2.54 turns them off only by their names. */
const hook = /^hook\.[^]*\.[^.]+$/;

/**
 * Settings with which Git runs none of the hooks that are set up for a folder, and none of the filters and
 * programs that merge files: those of the repository, over all its files of settings, and with `everyone` those of the person and of the system, too.
 * Undefined: one of them cannot be named, or the settings cannot be read, so that Git must not run what uses them.
 */
export async function turnOffPrograms(
  folder: string,
  everyone = false,
): Promise<GitSettings | undefined> {
  const list = ["config", "--list", "--includes", "--show-scope", "--name-only", "-z"];
  const { bytes, trouble } = await runGit(folder, list);
  if (trouble !== undefined) return undefined;
  const parts = bytes.toString("latin1").split("\0"); // a character for each byte
  const off: Record<string, string> = {};
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = "", bytesOfName = ""] = parts.slice(at, at + 2);
    if (scope === "command") continue; // what is off for every command
    const isFilter = everyone
      ? anyFilter.test(bytesOfName)
      : ["local", "worktree"].includes(scope) && filter.test(bytesOfName);
    const isHook = hook.test(bytesOfName); // as of hooks that are files, nobody's runs
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
