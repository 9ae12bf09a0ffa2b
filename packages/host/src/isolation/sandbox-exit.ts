import { constants } from "node:os";

const SIGNALLED = 128;

interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Converts bubblewrap's exit to that of the program inside. Bubblewrap, like a shell, exits with
 * 128 plus the signal number if the program was killed by a signal. (A program that exits with such
 * a code by itself means the same: Claude Code exits with 143 after SIGTERM.)
 */
export function unwrapSandboxExit({ code, signal }: ProcessExit): ProcessExit {
  if (code === null || code <= SIGNALLED) return { code, signal };
  const name = Object.entries(constants.signals).find(
    ([, number]) => number === code - SIGNALLED,
  )?.[0];
  return name === undefined ? { code, signal } : { code: null, signal: name };
}

/** Returns bubblewrap's error message if it could not start the program, otherwise undefined. */
export function readSandboxStartFailure(stderr: string): string | undefined {
  const [, bubblewrapError] = /^bwrap: (.+)$/m.exec(stderr) ?? [];
  return bubblewrapError === undefined
    ? undefined
    : `bubblewrap could not isolate it: ${bubblewrapError}`;
}
