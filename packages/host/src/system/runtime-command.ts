import { devNull } from "node:os";

/**
 * Options with which Bun reads nothing from its working folder. By default it runs the `preload` of
 * that folder's `bunfig.toml`, resolves imports by its `tsconfig.json` and takes variables from its
 * `.env`, so that a repository could run code when a program is started in it.
 */
const ownSettingsOnly = [
  `--config=${devNull}`,
  "--no-env-file",
  `--tsconfig-override=${devNull}`,
] as const;

/** Returns the command that runs a script on the runtime of this process, in any working folder. */
export function runtimeCommand(): string[] {
  return process.versions["bun"] === undefined
    ? [process.execPath]
    : [process.execPath, ...ownSettingsOnly];
}
