import { errorMessage } from "@signalbox/protocol/text";
import { constants, Database } from "bun:sqlite";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { DATABASE } from "./database.ts";

/**
 * Checks the structure of a database that no hub has open, and returns the problems. Undefined if
 * there is no database. It is opened for reading only.
 */
export function checkDatabase(folder: string): string[] | undefined {
  const path = join(folder, DATABASE);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile() || found.size === 0) return ["it is not a database, or it is empty"];
  try {
    using db = new Database(path, constants.SQLITE_OPEN_READONLY);
    const rows = db.query<{ quick_check: string }, []>("PRAGMA quick_check(10)").all();
    return rows.flatMap((row) => (row.quick_check === "ok" ? [] : [row.quick_check]));
  } catch (error) {
    return [errorMessage(error)];
  }
}
