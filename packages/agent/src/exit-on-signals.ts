/** The exit codes of Claude Code. */
const codes = { SIGINT: 0, SIGTERM: 143, SIGHUP: 129 } as const;
const GRACE_MS = 5000;

let interrupt: (() => void) | undefined;

/** Exits in an orderly way on a signal, so that listeners of `exit` can stop what they started. */
export function exitOnSignals(): void {
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => process.exit(codes[signal]));
  }
  process.once("SIGINT", () => {
    process.on("SIGINT", () => {}); // A launcher may pass on the terminal's signal, so that it arrives twice.
    if (!interrupt) process.exit(codes.SIGINT);
    setTimeout(() => process.exit(codes.SIGINT), GRACE_MS);
    interrupt();
  });
}

/**
 * Called on SIGINT instead of exiting at once, because it may take a moment to report the end of
 * the turn.
 */
export function onInterrupt(act: () => void): void {
  interrupt = act;
}
