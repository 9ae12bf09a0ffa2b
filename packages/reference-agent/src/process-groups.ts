import type { ChildProcess } from "node:child_process";

/** Leaders of groups that run: the signal for each when this process ends. */
const leaders = new Map<number, NodeJS.Signals>();

process.on("exit", () => {
  for (const [pid, signal] of leaders) signalGroup(pid, signal);
});

/** A child that leads a group of its own hears nothing of our end: the group is ended with us. */
export function endsWithUs(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void {
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
    // the group is gone
  }
}
