import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { endWithProcess, signalGroup } from "../process-groups.ts";

export interface Shell {
  readonly child: ChildProcess;
  /** Resolves to the exit code; 128 plus the signal's number if it was killed. */
  readonly ended: Promise<number>;
  /** Ends the command and its children with TERM, and with KILL if they do not exit. */
  readonly kill: () => void;
}

const GRACE_MS = 1000;
const signals: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/**
 * Runs a Bash line in a process group of its own. The output goes to a file, so that no amount of
 * it uses memory.
 */
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
    detached: true, // It leads a group, which can be ended as a whole.
  });
  closeSync(output);
  endWithProcess(child);
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
    // Processes that ignored TERM are ended, too, even if the leader has exited.
    void (async () => {
      await ended;
      clearTimeout(timer);
      signalGroup(child.pid, "SIGKILL");
    })();
  };
  return { child, ended, kill };
}
