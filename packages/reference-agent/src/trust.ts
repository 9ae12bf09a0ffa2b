import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type JsonObject, parseObject } from "@signalbox/protocol/wire";
import type { AgentContext } from "@signalbox/agent";
import { getConfigFolder, getHome } from "./session.ts";
import { replaceFile } from "./files/replace-file.ts";

type Place = Pick<AgentContext, "environment" | "folder">;

/** Whether a person trusts a folder, and where that is stored. */
export interface Trust {
  readonly isTrusted: boolean;
  /** The root of the repository, or the folder if there is none. */
  readonly root: string;
  readonly file: string;
}

/**
 * Reads the trust in a folder. It covers this folder but not those below it; inside of a
 * repository, it covers the whole repository.
 */
export function getTrust({ environment, folder }: Place): Trust {
  const file = stateFile(environment);
  const root = getRepository(folder) ?? folder;
  return { isTrusted: isNoted(notesIn(file), root), root, file };
}

/**
 * Whether no question is needed on a terminal, where trust in a parent folder is enough, up to the
 * root of the repository.
 */
export function needsNoQuestion(place: Place): boolean {
  if (place.environment["CLAUDE_CODE_SANDBOXED"]) return true;
  const { root, file } = getTrust(place);
  const isRepository = existsSync(join(root, ".git"));
  const notes = notesIn(file);
  for (let folder = place.folder; ; folder = dirname(folder)) {
    if (isNoted(notes, folder)) return true;
    if (folder === (isRepository ? root : dirname(folder))) return false;
  }
}

/**
 * Stores the trust. Trust in the home folder is only valid for one session, because everything
 * below it would be trusted.
 */
export async function rememberTrust(place: Place): Promise<void> {
  if (place.folder === getHome(place.environment)) return;
  const { root, file } = getTrust(place);
  const notes = notesIn(file);
  // The file is shared with Claude Code, so it is not replaced.
  if (!notes) throw new Error(`${file} cannot be read as JSON`);
  const projects = isObject(notes["projects"]) ? notes["projects"] : {};
  const project = isObject(projects[root]) ? projects[root] : {};
  const next = { ...projects, [root]: { ...project, hasTrustDialogAccepted: true } };
  const text = JSON.stringify({ ...notes, projects: next }, null, 2);
  await replaceFile(file, Buffer.from(`${text}\n`));
}

/** Reads what Claude Code stores about a person (and their project) beside the settings. */
export function personalNotes({ environment, folder }: Place): {
  person: JsonObject;
  project: JsonObject;
} {
  const person = notesIn(stateFile(environment)) ?? {};
  const { projects } = person;
  const project = isObject(projects) ? projects[getRepository(folder) ?? folder] : undefined;
  return { person, project: isObject(project) ? project : {} };
}

function isNoted(notes: JsonObject | undefined, folder: string): boolean {
  const projects = notes?.["projects"];
  const project = isObject(projects) ? projects[folder] : undefined;
  return isObject(project) && project["hasTrustDialogAccepted"] === true;
}

/** Parses a file; undefined if it is unreadable or invalid. */
function notesIn(file: string): JsonObject | undefined {
  if (!existsSync(file)) return {};
  const content = parseObject(textIn(file));
  return typeof content === "string" ? undefined : content;
}

/** Returns the path of Claude Code's state file. */
function stateFile(environment: AgentContext["environment"]): string {
  const older = join(getConfigFolder(environment), ".config.json");
  if (existsSync(older)) return older;
  return join(environment["CLAUDE_CONFIG_DIR"] ?? getHome(environment), ".claude.json");
}

function getRepository(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : getRepository(above);
}

/**
 * Whether a file is part of the repository. If that cannot be determined, it counts as part of it.
 */
export function isCheckedIn(path: string): boolean {
  const folder = dirname(path);
  if (getRepository(folder) === undefined) return false;
  // The repository's own settings may name a program for git to run.
  const args = ["-c", "core.fsmonitor=false", "-C", folder, "ls-files", "--error-unmatch", path];
  return spawnSync("git", args, { stdio: "ignore" }).status !== 1;
}

function textIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
