import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { endsWithUs, signalGroup } from "../process-groups.ts";

export interface Shell {
  readonly child: ChildProcess;
  /** The exit code; 128 and the signal's number when it was killed. */
  readonly ended: Promise<number>;
  /** Ends the command and everything it started: TERM, and KILL where that does not help. */
  readonly kill: () => void;
}

const GRACE_MS = 1000;
const signals: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** Runs a line of Bash in a process group of its own; what it prints goes to a file, so that no
 * amount of output costs memory. */
export function startShell(run: {
  command: string;
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  outputPath: string;
}): Shell {
  const output = openSync(run.outputPath, "w", 0o600);
  const child = spawn("/bin/bash", ["-c", run.command], {
    cwd: run.folder,
    env: run.environment,
    stdio: ["ignore", output, output],
    detached: true, // leads a group, which can be ended as a whole
  });
  closeSync(output);
  endsWithUs(child);
  const ended = new Promise<number>((resolve) => {
    child.once("error", () => resolve(127));
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signals[signal ?? ""] ?? 15)));
  });
  let killed = false;
  const kill = () => {
    if (killed) return;
    killed = true;
    signalGroup(child.pid, "SIGTERM");
    const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_MS);
    // Whoever ignored TERM while the leader obeyed it is ended as well.
    void (async () => {
      await ended;
      clearTimeout(timer);
      signalGroup(child.pid, "SIGKILL");
    })();
  };
  return { child, ended, kill };
}
