import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { replacePrivateFile } from "@signalbox/hub/private-file";

const FILE = "runner.process";
/** The hub makes it when it starts a runner. */
const LOG = "runner.log";
const POLL_MS = 50;

/** Written by the runner, so that it can be ended when its hub is gone. */
export function writeRunnerProcess(folder: string): void {
  replacePrivateFile(join(folder, FILE), `${process.pid} ${readStartTime(process.pid) ?? ""}`);
}

export function removeRunnerProcess(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/**
 * Ends the runner of this folder, if one lives, and with it its agents. Gives whether there was one.
 * `begunWithinMs`: how long to wait for one that was only just started, and has not said that it is there.
 */
export async function stopLocalRunner(folder: string, begunWithinMs = 0): Promise<boolean> {
  const latest = performance.now() + begunWithinMs;
  const begins = () => existsSync(join(folder, LOG)) && !existsSync(join(folder, FILE));
  while (begins() && performance.now() < latest) await sleep(POLL_MS);
  const [pid, start] = readRunnerProcess(folder);
  const lives = () => pid > 0 && readStartTime(pid) === start;
  if (!lives()) return false;
  process.kill(pid, "SIGTERM");
  while (lives()) await sleep(POLL_MS); // it ends its agents first, step by step
  return true;
}

function readRunnerProcess(folder: string): [pid: number, start: string] {
  try {
    const [pid = "", start = ""] = readFileSync(join(folder, FILE), "utf8").split(" ");
    return start === "" ? [0, ""] : [Number(pid), start];
  } catch {
    return [0, ""];
  }
}

/** When a process began, as the system counts it: its id alone may be another's by now. */
function readStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
