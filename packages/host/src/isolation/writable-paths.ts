import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Launch } from "../launch/launch.ts";
import { git } from "../git/git.ts";
import { realOf } from "../sandbox/paths.ts";

/**
 * Where an agent may write under the profile `write-here-only`: its folder and the extra ones of the
 * launch, the Git folder behind them (a worktree's lies elsewhere), the temporary folders, and Claude
 * Code's own configuration, without which it could keep no conversation.
 */
export async function writablePaths(
  launch: Launch,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  const home = env["HOME"] ?? homedir();
  const config = env["CLAUDE_CONFIG_DIR"];
  const configuration =
    config === undefined ? [join(home, ".claude"), join(home, ".claude.json")] : [config];
  const shared = await git(folder, ["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  const paths = [
    folder,
    ...(launch.addDirs ?? []),
    ...(shared === undefined ? [] : [shared.trimEnd()]),
    "/tmp",
    "/var/tmp",
    tmpdir(),
    ...[env["TMPDIR"], env["CLAUDE_CODE_TMPDIR"]].filter((path) => path !== undefined),
    ...configuration,
    join(home, ".cache", "claude-cli-nodejs"),
  ];
  return [...new Set(paths.filter((path) => path !== "").map(realOf))];
}
