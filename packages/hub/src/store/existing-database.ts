import { lstatSync } from "node:fs";
import { join } from "node:path";
import { FolderRefusedError } from "../data/folder.ts";
import { DATABASE } from "./database.ts";

/** The data folder belonged to a hub, but its database is missing. */
export class DatabaseMissingError extends Error {
  override readonly name = "DatabaseMissingError";
  readonly code = "DATABASE_MISSING";
}

/** Files that a hub leaves in its folder once it has had a database. */
const traces = [
  "reserve",
  "hub.log",
  "hub.json",
  `${DATABASE}-wal`,
  `${DATABASE}-shm`,
  `${DATABASE}.restoring`, // an interrupted restore
];

/**
 * Checks the existing files before anything is created: an empty database in the place of a lost
 * one would look like a hub that has lost all its devices. `beginAnew`: a person has requested
 * that.
 */
export function checkDatabaseFiles(folder: string, beginAnew: boolean): void {
  for (const name of [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, "reserve", "hub.log"]) {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (found && !found.isFile()) {
      const kind = found.isDirectory() ? "a folder" : "not a regular file";
      throw new FolderRefusedError(
        `${join(folder, name)} is ${kind}, but the hub needs a file there. Move it, or choose another data folder. Nothing was changed.`,
      );
    }
  }
  const database = join(folder, DATABASE);
  const bytes = lstatSync(database, { throwIfNoEntry: false })?.size;
  if ((bytes ?? 0) > 0 || beginAnew) return;
  const left = traces.filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }));
  if (left.length === 0) return;
  throw new DatabaseMissingError(
    `The database ${database} is ${bytes === 0 ? "empty" : "missing"}, but a hub has used this folder: it holds ${left.join(", ")}. The hub has not started, and nothing was changed. Put the database back, restore a backup with \`signalbox restore FILE\`, or start with \`signalbox serve --new-database\` to begin with an empty one without sessions and devices.`,
  );
}
