import { closeSync, constants, openSync, renameSync, statSync, writeSync } from "node:fs";

const LARGEST = 8 * 1024 * 1024;

/** Appends to a file that only we can read. A large one of before is set aside, one deep. */
export function openLogFile(path: string): { write(line: string): void; close(): void } {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LARGEST) renameSync(path, `${path}.1`);
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const file = openSync(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  let open = true;
  return {
    write(line) {
      if (!open) return;
      try {
        writeSync(file, line);
      } catch {
        // A full disk is told by the store, which people see; a log cannot tell it.
      }
    },
    close() {
      if (open) closeSync(file);
      open = false;
    },
  };
}
