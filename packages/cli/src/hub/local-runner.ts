import { readStartTime } from "@signalbox/host/system";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { replacePrivateFile } from "@signalbox/hub/private-file";

const FILE = "runner.process";
/** The hub creates this file when it starts a runner. */
const LOG = "runner.log";
const POLL_MS = 50;

/** Writes the id of the runner's process, so that the runner can be stopped without its hub. */
export function writeRunnerProcess(folder: string): void {
  replacePrivateFile(join(folder, FILE), `${process.pid} ${readStartTime(process.pid) ?? ""}`);
}

export function removeRunnerProcess(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/**
 * Stops the runner of this folder and its agents. Returns whether a runner was running. `startTimeoutMs` is how
 * long to wait for a runner that was just started and has not written its process id yet.
 */
export async function stopLocalRunner(folder: string, startTimeoutMs = 0): Promise<boolean> {
  const deadline = performance.now() + startTimeoutMs;
  const isStarting = () => existsSync(join(folder, LOG)) && !existsSync(join(folder, FILE));
  while (isStarting() && performance.now() < deadline) await sleep(POLL_MS);
  const [pid, start] = readRunnerProcess(folder);
  const isRunning = () => pid > 0 && readStartTime(pid) === start;
  if (!isRunning()) return false;
  process.kill(pid, "SIGTERM");
  while (isRunning()) await sleep(POLL_MS); // the runner stops its agents first
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
