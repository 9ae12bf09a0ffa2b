import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Launch } from "../launch/launch.ts";
import { gitLine } from "../git/index.ts";
import { resolveRealPath } from "../sandbox/paths.ts";

/**
 * Lists the paths that an agent may write under the profile `write-here-only`: its folder and the
 * launch's additional ones, their Git folder (a worktree's is elsewhere), the temporary folders,
 * and Claude Code's own configuration, without which it could not store the conversation.
 */
export async function writablePaths(
  launch: Launch,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  const home = env["HOME"] ?? homedir();
  const config = configurationFolder(env);
  const configuration = env["CLAUDE_CONFIG_DIR"] ? [config] : [config, join(home, ".claude.json")];
  const shared = await gitLine(folder, ["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  const paths = [
    folder,
    ...(launch.addDirs ?? []),
    ...(shared === undefined ? [] : [shared]),
    "/tmp",
    "/var/tmp",
    tmpdir(),
    ...[env["TMPDIR"], env["CLAUDE_CODE_TMPDIR"]].filter((path) => path !== undefined),
    ...configuration,
    join(home, ".cache", "claude-cli-nodejs"),
  ];
  return [...new Set(paths.filter((path) => path !== "").map(resolveRealPath))];
}

/**
 * Paths in Claude Code's configuration that later sessions run or obey, also those that are not
 * isolated.
 */
const settingsFile = "settings.json";
const codeFolders = ["agents", "commands", "hooks", "output-styles", "plugins", "skills"];
/** Files of any name that settings may run, such as a script for the status line. */
const script = /\.(?:sh|bash|zsh|fish|py|rb|pl|js|mjs|cjs|ts)$/;

/**
 * Lists the paths of the configuration that are read-only in any case: a hook written by the agent
 * would run later, outside. Missing files are created empty, because only existing files can be
 * protected.
 */
export function readOnlyPaths(env: Readonly<Record<string, string>>): string[] {
  const config = resolveRealPath(configurationFolder(env));
  if (!existsSync(config)) return [];
  for (const name of codeFolders) mkdirSync(join(config, name), { recursive: true, mode: 0o700 });
  const settings = join(config, settingsFile);
  if (!existsSync(settings)) writeFileSync(settings, "{}\n", { mode: 0o600, flag: "wx" });
  const others = readdirSync(config).filter(
    (name) => /^settings\..*json$|^CLAUDE\.md$/.test(name) || script.test(name),
  );
  return [...new Set([settingsFile, ...codeFolders, ...others])].map((name) =>
    resolveRealPath(join(config, name)),
  );
}

function configurationFolder(env: Readonly<Record<string, string>>): string {
  return env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] ?? homedir(), ".claude");
}
