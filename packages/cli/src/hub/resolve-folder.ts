import { isAbsolute, resolve } from "node:path";
import type { RunnerView } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { UsageError } from "../usage-error.ts";

/** Resolves a folder on this machine; a folder on another machine has to be an absolute path. */
export function resolveFolder(
  machine: RunnerView | undefined,
  flag: string,
  named: string | undefined,
): string {
  if (machine === undefined || machine.own) return resolve(named ?? ".");
  if (named !== undefined && isAbsolute(named)) return named;
  const where = escapeForTerminal(machine.machine);
  throw new UsageError(`${flag} must be an absolute path on ${where}, such as /home/you/project.`);
}
