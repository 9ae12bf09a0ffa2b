import { escapeForTerminal } from "@signalbox/protocol/text";
import { realpathSync, statSync } from "node:fs";
import { UsageError } from "../usage-error.ts";

/** The real path of a folder that `--root` names. */
export function resolveRootFolder(named: string): string {
  let why = "does not exist";
  try {
    const real = realpathSync(named);
    if (statSync(real).isDirectory()) return real;
    why = "is not a folder";
  } catch {
    // It is said below.
  }
  throw new UsageError(`--root: ${escapeForTerminal(named)} ${why}.`);
}
