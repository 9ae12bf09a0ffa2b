import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { DataFolderRegistry } from "./data-folder-registry.ts";

/**
 * The data folder that a command works with: the one named by `--data`, else by the environment variable
 * SIGNALBOX_DATA, else the usual one of this user.
 */
export function resolveDataFolder(
  named: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  if (named !== undefined) return resolve(named);
  const { SIGNALBOX_DATA: set = "", XDG_DATA_HOME: shared = "" } = environment;
  if (set !== "") return resolve(set);
  // A relative one means nothing: https://specifications.freedesktop.org/basedir-spec
  return join(isAbsolute(shared) ? shared : join(homedir(), ".local/share"), "signalbox");
}

/**
 * Every folder in which Signalbox keeps something for this user, as far as it is known here. None of
 * them may be seen by an agent: one of another hub's would do as well to reach that hub.
 */
export function listSignalboxFolders(...named: readonly (string | undefined)[]): string[] {
  const usual = resolveDataFolder(undefined, { ...process.env, SIGNALBOX_DATA: "" });
  const others = new DataFolderRegistry(resolveStateFolder()).list();
  const known = [resolveDataFolder(undefined), usual, resolveStateFolder(), ...others];
  return [...named, ...known].filter((folder) => folder !== undefined);
}

/** To be called by whatever starts agents or keeps keys in a data folder. */
export function rememberDataFolder(folder: string): void {
  new DataFolderRegistry(resolveStateFolder()).add(folder);
}

/** Where commands keep what they remember of this user, apart from any hub's own folder. */
export function resolveStateFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_STATE_HOME: shared = "" } = environment;
  return join(isAbsolute(shared) ? shared : join(homedir(), ".local/state"), "signalbox");
}

/** Where the runner that a hub starts by itself keeps what the hub has not stored. */
export function getLocalRunnerFolder(data: string): string {
  return join(data, "runner");
}
