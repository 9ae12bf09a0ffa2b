import { escapeForTerminal } from "@signalbox/protocol/text";
import { realpathSync, statSync } from "node:fs";
import { UsageError } from "../usage-error.ts";

/** Resolves the folder of `--root` to its real path. */
export function resolveRootFolder(named: string): string {
  let problem = "does not exist";
  try {
    const real = realpathSync(named);
    if (statSync(real).isDirectory()) return real;
    problem = "is not a folder";
  } catch {
    // The error below says so.
  }
  throw new UsageError(`--root: ${escapeForTerminal(named)} ${problem}.`);
}
