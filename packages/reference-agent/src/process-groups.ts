import type { ChildProcess } from "node:child_process";

/** The leaders of running process groups, with the signal for each when this process ends. */
const leaders = new Map<number, NodeJS.Signals>();

process.on("exit", () => {
  for (const [pid, signal] of leaders) signalGroup(pid, signal);
});

/**
 * Ends a child's process group together with this process, because a group of its own does not
 * receive our signals.
 */
export function endWithProcess(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void {
  const { pid } = child;
  if (pid === undefined) return;
  leaders.set(pid, signal);
  child.once("exit", () => leaders.delete(pid));
}

export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}
