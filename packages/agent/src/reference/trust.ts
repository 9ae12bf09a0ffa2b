import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseObject } from "@signalbox/protocol/wire";
import type { Birth } from "../agent.ts";
import { configFolderOf, homeOf } from "./session.ts";
import { isRecord } from "./tools/schema.ts";

/** Whether a person has said that they trust what lies in a folder, and where that stands. */
export interface Trust {
  readonly isTrusted: boolean;
  /** The repository's root, or the folder where there is none. */
  readonly root: string;
  readonly file: string;
}

/** Trust is given to one folder, not to those below it; inside of a repository, to the whole of it. */
export function trustOf({ environment, folder }: Pick<Birth, "environment" | "folder">): Trust {
  const file = stateFile(environment);
  const root = repositoryOf(folder) ?? folder;
  const content = parseObject(textIn(file));
  const projects = typeof content === "string" ? undefined : content["projects"];
  const project = isRecord(projects) ? projects[root] : undefined;
  const isTrusted = isRecord(project) && project["hasTrustDialogAccepted"] === true;
  return { isTrusted, root, file };
}

/** Claude Code's own notes, where it keeps them. */
function stateFile(environment: Birth["environment"]): string {
  const older = join(configFolderOf(environment), ".config.json");
  if (existsSync(older)) return older;
  return join(environment["CLAUDE_CONFIG_DIR"] ?? homeOf(environment), ".claude.json");
}

function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
}

/** Whether a file came with the repository. If nobody can tell, it did. */
export function isCheckedIn(path: string): boolean {
  const folder = dirname(path);
  if (repositoryOf(folder) === undefined) return false;
  // A repository's own settings may name a program to be run by git.
  const args = ["-c", "core.fsmonitor=false", "-C", folder, "ls-files", "--error-unmatch", path];
  return spawnSync("git", args, { stdio: "ignore" }).status !== 1;
}

function textIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // there is none
  }
}
