import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readUndelivered, readUndeliveredLines } from "../link/read-undelivered.ts";
import { forgetLife } from "./life-note.ts";

/**
 * The lines that wait in a folder and that no relay takes any more, as text that can be read. Gives back the
 * file; undefined: there are none.
 */
export function saveAsText(dataFolder: string): string | undefined {
  const spill = join(dataFolder, "spill");
  const lines = readUndelivered(spill).flatMap((found) => [...readUndeliveredLines(found)]);
  if (lines.length === 0) return undefined;
  const file = join(dataFolder, "lines.ndjson");
  writeFileSync(file, lines.map(({ text }) => `${text}\n`).join(""), { mode: 0o600 });
  forgetLife(dataFolder);
  rmSync(spill, { recursive: true, force: true });
  return file;
}
