import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readProcessFile } from "./process-facts.ts";

/** Where one of these secrets can be read that must be nowhere: in which files below a folder. */
export function filesWith(secrets: readonly string[], folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => holds(secrets, readText(path)));
}

/** In the command lines and environments of which processes. */
export function processesWith(secrets: readonly string[], pids: readonly number[]): string[] {
  return pids.flatMap((pid) =>
    (["cmdline", "environ"] as const)
      .filter((fact) => holds(secrets, readProcessFile(pid, fact)))
      .map((fact) => `${fact} of ${pid}`),
  );
}

function holds(secrets: readonly string[], text: string): boolean {
  return secrets.some((secret) => text.includes(secret));
}

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // gone meanwhile
  }
}
