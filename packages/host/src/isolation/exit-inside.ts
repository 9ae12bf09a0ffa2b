import { constants } from "node:os";

const SIGNALLED = 128;

interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * How the program inside of bubblewrap ended. Bubblewrap exits with 128 and the number of the signal
 * where its program was killed by one, as shells do. (A program that exits with such a code by itself
 * says the same by it: Claude Code exits with 143 after a SIGTERM.)
 */
export function exitInside({ code, signal }: ProcessExit): ProcessExit {
  if (code === null || code <= SIGNALLED) return { code, signal };
  const name = Object.entries(constants.signals).find(
    ([, number]) => number === code - SIGNALLED,
  )?.[0];
  return name === undefined ? { code, signal } : { code: null, signal: name };
}

/** What bubblewrap said where it could not start the program; undefined: it did. */
export function startFailure(stderr: string): string | undefined {
  const [, bubblewrapError] = /^bwrap: (.+)$/m.exec(stderr) ?? [];
  return bubblewrapError === undefined
    ? undefined
    : `bubblewrap could not isolate it: ${bubblewrapError}`;
}
