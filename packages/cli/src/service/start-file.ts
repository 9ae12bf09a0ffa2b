import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readPrivateFile } from "@signalbox/hub/private-file";
import { RUNNER_START_FILE } from "@signalbox/runner/link";

const POLL_MS = 250;

/**
 * Waits for the file in which the hub leaves what its runner needs, reads it and deletes it, because it contains
 * the runner's key. Undefined: the process was asked to stop.
 */
export async function takeStartFile(folder: string): Promise<string | undefined> {
  const file = join(folder, RUNNER_START_FILE);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  try {
    if (!existsSync(file)) console.error(`Waiting for the hub (${file}).`);
    while (!stopped.signal.aborted) {
      const message = readPrivateFile(file);
      if (message !== undefined) {
        rmSync(file, { force: true });
        return message;
      }
      await sleep(POLL_MS, undefined, { signal: stopped.signal }).catch(() => {});
    }
    return undefined;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
  }
}
