import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { DataFolderRegistry } from "./data-folder-registry.ts";

/**
 * The data folder for a command: the folder of `--data`, else of the environment variable SIGNALBOX_DATA, else
 * the default folder of this user.
 */
export function resolveDataFolder(
  named: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  if (named !== undefined) return resolve(named);
  const { SIGNALBOX_DATA: set = "", XDG_DATA_HOME: shared = "" } = environment;
  if (set !== "") return resolve(set);
  // Relative paths are ignored: https://specifications.freedesktop.org/basedir-spec
  return join(isAbsolute(shared) ? shared : join(homedir(), ".local/share"), "signalbox");
}

/**
 * Lists every known folder in which Signalbox keeps data of this user. They are hidden from agents, including
 * those of other hubs, because their credentials would give access to those hubs.
 */
export function listSignalboxFolders(...named: readonly (string | undefined)[]): string[] {
  const defaultFolder = resolveDataFolder(undefined, { ...process.env, SIGNALBOX_DATA: "" });
  const others = new DataFolderRegistry(resolveStateFolder()).list();
  const known = [resolveDataFolder(undefined), defaultFolder, resolveStateFolder(), ...others];
  return [...named, ...known].filter((folder) => folder !== undefined);
}

/**
 * Creates the folders in which a hub of this user would keep its data. Only what exists when an agent is started is
 * hidden from it, and the first hub may be started later.
 */
export function createSignalboxFolders(): void {
  const defaultFolder = resolveDataFolder(undefined, { ...process.env, SIGNALBOX_DATA: "" });
  for (const folder of [defaultFolder, resolveStateFolder()]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch {
      // A home folder that cannot be written gets no hub's data either.
    }
  }
}

/** Call this when agents are started or keys are kept in a data folder. */
export function rememberDataFolder(folder: string): void {
  new DataFolderRegistry(resolveStateFolder()).add(folder);
}

/** The folder in which commands keep data of this user, apart from the data folder of any hub. */
export function resolveStateFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_STATE_HOME: shared = "" } = environment;
  return join(isAbsolute(shared) ? shared : join(homedir(), ".local/state"), "signalbox");
}

/** The folder in which the runner that a hub starts keeps data that the hub has not stored. */
export function getLocalRunnerFolder(data: string): string {
  return join(data, "runner");
}
