import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Launch } from "@signalbox/host";
import { OrderError } from "./order-error.ts";

/**
 * Refuses a launch whose folder of Claude Code's configuration, and so whose account, does not exist.
 * Claude Code would create an empty one and behave as if nobody had ever logged in.
 */
export function requireConfigFolder({ environment }: Launch): void {
  const folder = environment?.["CLAUDE_CONFIG_DIR"];
  if (folder === undefined) return;
  const why = findProblem(folder);
  if (why === undefined) return;
  const detail = `The environment sets CLAUDE_CONFIG_DIR to ${folder}, which ${why}. Restore the folder, log in to it with \`claude\`, or change the profile in the settings.`;
  throw new OrderError("bad-environment", detail);
}

function findProblem(folder: string): string | undefined {
  if (!isAbsolute(folder)) return "is not an absolute path";
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return "does not exist";
  return stats.isDirectory() ? undefined : "is not a folder";
}
