import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type JsonObject, parseObject } from "@signalbox/protocol/wire";
import type { AgentContext } from "@signalbox/agent";
import { getConfigFolder, getHome } from "./session.ts";
import { replaceFile } from "./files/replace-file.ts";

type Place = Pick<AgentContext, "environment" | "folder">;

/** Whether a person has said that they trust what lies in a folder, and where that stands. */
export interface Trust {
  readonly isTrusted: boolean;
  /** The repository's root, or the folder where there is none. */
  readonly root: string;
  readonly file: string;
}

/** Trust is given to one folder, not to those below it; inside of a repository, to the whole of it. */
export function getTrust({ environment, folder }: Place): Trust {
  const file = stateFile(environment);
  const root = getRepository(folder) ?? folder;
  return { isTrusted: isNoted(notesIn(file), root), root, file };
}

/** Whether nobody has to be asked on a terminal: there trust in a folder above is enough, up to the
 * repository's root. */
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

/** Trust in the home folder holds for one session: all that lies below would have it. */
export async function rememberTrust(place: Place): Promise<void> {
  if (place.folder === getHome(place.environment)) return;
  const { root, file } = getTrust(place);
  const notes = notesIn(file);
  if (!notes) throw new Error(`${file} cannot be read as JSON`); // it is not ours alone: it stays
  const projects = isObject(notes["projects"]) ? notes["projects"] : {};
  const project = isObject(projects[root]) ? projects[root] : {};
  const next = { ...projects, [root]: { ...project, hasTrustDialogAccepted: true } };
  const text = JSON.stringify({ ...notes, projects: next }, null, 2);
  await replaceFile(file, Buffer.from(`${text}\n`));
}

/** What Claude Code notes of a person (and of a project of theirs) beside their settings. */
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

/** Nothing where the file cannot be read or makes no sense. */
function notesIn(file: string): JsonObject | undefined {
  if (!existsSync(file)) return {};
  const content = parseObject(textIn(file));
  return typeof content === "string" ? undefined : content;
}

/** Claude Code's own notes, where it keeps them. */
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

/** Whether a file came with the repository. If nobody can tell, it did. */
export function isCheckedIn(path: string): boolean {
  const folder = dirname(path);
  if (getRepository(folder) === undefined) return false;
  // A repository's own settings may name a program to be run by git.
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
