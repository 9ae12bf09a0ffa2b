import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * Reads the text of a file that somebody else may have created. Throws if it is not a regular file:
 * a pipe without a writer would block the process.
 */
export function readRegularFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a regular file`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
