/** The codes that Claude Code leaves with. */
const codes = { SIGINT: 0, SIGTERM: 143, SIGHUP: 129 } as const;
const GRACE_MS = 5000;

let interrupt: (() => void) | undefined;

/** A signal ends this process in order: listeners of `exit` run, and end what it started. */
export function exitOnSignals(): void {
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => process.exit(codes[signal]));
  }
  process.once("SIGINT", () => {
    process.on("SIGINT", () => {}); // a terminal's comes twice where a launcher passes it on
    if (!interrupt) process.exit(codes.SIGINT);
    setTimeout(() => process.exit(codes.SIGINT), GRACE_MS);
    interrupt();
  });
}

/** What SIGINT does in place of the end at once: it may take a moment to say how the turn ended. */
export function onInterrupt(act: () => void): void {
  interrupt = act;
}
