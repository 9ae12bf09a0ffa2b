import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Where a hub of this user keeps what it knows, unless another folder is named. */
export function dataFolder(
  named: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  if (named !== undefined) return resolve(named);
  const { XDG_DATA_HOME: shared = "" } = environment;
  // A relative one means nothing: https://specifications.freedesktop.org/basedir-spec
  return join(isAbsolute(shared) ? shared : join(homedir(), ".local/share"), "signalbox");
}

/** Where the runner that a hub starts by itself keeps what the hub has not stored. */
export function ownRunnerFolder(data: string): string {
  return join(data, "runner");
}
