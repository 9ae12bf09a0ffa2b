import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the built page; undefined if it was not built. */
export function findPageFolder(): string | undefined {
  try {
    const found = fileURLToPath(import.meta.resolve("@signalbox/web/package.json"));
    const folder = join(dirname(found), "dist");
    return existsSync(join(folder, "files.json")) ? folder : undefined;
  } catch {
    return undefined;
  }
}
