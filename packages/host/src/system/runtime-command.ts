import { devNull } from "node:os";

/**
 * Options with which Bun reads nothing of the folder that it is started in. By itself it runs the `preload` of
 * that folder's `bunfig.toml`, resolves imports by its `tsconfig.json` and takes variables from its `.env`,
 * so that a repository could run code as soon as somebody starts a program in it.
 */
const ownSettingsOnly = [
  `--config=${devNull}`,
  "--no-env-file",
  `--tsconfig-override=${devNull}`,
] as const;

/** The command that runs a script on the runtime of this process, whatever folder it is started in. */
export function runtimeCommand(): string[] {
  return process.versions["bun"] === undefined
    ? [process.execPath]
    : [process.execPath, ...ownSettingsOnly];
}
