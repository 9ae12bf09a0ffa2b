/** Kills processes; one that the end of another has ended already is no failure. */
export function killAll(pids: Iterable<number>, signal: NodeJS.Signals = "SIGKILL"): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== "ESRCH") throw failure;
    }
  }
}
