import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { SignalboxError } from "@signalbox/protocol";

/**
 * Holds a data folder for one runner. The lock is the system's, on an open file: it ends with the
 * process that holds it, however that ends, so neither a file left over nor a used process id matters.
 * SQLite is loaded only here: drivers and `Host` of this package run on Node as well, the runner does not.
 */
export async function lockFolder(folder: string): Promise<Disposable> {
  const { Database } = await import("bun:sqlite");
  const path = join(folder, "runner.lock");
  const { O_CREAT, O_RDWR, O_NOFOLLOW } = constants;
  closeSync(openSync(path, O_CREAT | O_RDWR | O_NOFOLLOW, 0o600));
  const database = new Database(path);
  try {
    database.run("PRAGMA journal_mode = MEMORY"); // no second file
    database.run("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    throw new SignalboxError("FOLDER_IN_USE", { folder, by: "runner" }, { cause });
  }
  return { [Symbol.dispose]: () => database.close() };
}
