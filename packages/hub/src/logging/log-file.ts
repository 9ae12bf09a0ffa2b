import {
  closeSync,
  constants,
  copyFileSync,
  openSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";

const MAX_LOG_BYTES = 8 * 1024 * 1024;

/**
 * Appends to a file that only its owner can read. A file that is too large, at the start or later, is renamed
 * to end in `.1`, replacing the one before, and a new one is begun, with the header at its top.
 */
export function openLogFile(
  path: string,
  largest: number = MAX_LOG_BYTES,
  header = "",
): { write(line: string): void; close(): void } {
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let file: number | undefined;
  const begin = () => {
    if (size > largest) {
      renameSync(path, `${path}.1`);
      size = 0;
    }
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    file = openSync(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
    if (size === 0 && header !== "") size += writeSync(file, header);
  };
  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  begin();
  return {
    write(line) {
      if (file === undefined) return;
      try {
        size += writeSync(file, line);
        if (size <= largest) return;
        close();
        begin();
      } catch {
        // The store already reports a full disk to people; a log file cannot.
      }
    },
    close,
  };
}

/** Rotates a file that another process appends to: its content is copied, and then the file is emptied. */
export function rotateIfLarge(path: string, largest: number = MAX_LOG_BYTES): void {
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= largest) return;
    copyFileSync(path, `${path}.1`);
    truncateSync(path, 0);
  } catch {
    // The next check tries again.
  }
}
