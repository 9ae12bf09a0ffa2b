import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { RUN_MARKER } from "@signalbox/host/agents";
import { allProcesses, isZombie, sendSignal } from "@signalbox/host/agents";
import { isOrphan } from "./owner.ts";

const GRACE_MS = 3000;
const GONE_MS = 5000;
const STEP_MS = 50;

/** Stops processes that a crashed runner of this data folder left behind. Returns how many there were. */
export async function endOrphans(dataFolder: string): Promise<number> {
  const found = findOrphans(dataFolder);
  await signalOrphans(dataFolder, "SIGTERM", GRACE_MS);
  await signalOrphans(dataFolder, "SIGKILL", GONE_MS);
  return found.length;
}

async function signalOrphans(
  dataFolder: string,
  signal: NodeJS.Signals,
  waitMs: number,
): Promise<void> {
  const signaled = new Set<number>();
  for (let waited = 0; waited < waitMs; waited += STEP_MS) {
    const left = findOrphans(dataFolder);
    if (left.length === 0) return;
    for (const pid of left) {
      if (signaled.has(pid)) continue; // this process has been signaled already; new ones may appear meanwhile
      signaled.add(pid);
      sendSignal(pid, signal);
    }
    await sleep(STEP_MS);
  }
}

function findOrphans(dataFolder: string): number[] {
  return allProcesses().filter((pid) => {
    try {
      const owner = readOwner(pid);
      return owner !== undefined && isOrphan(dataFolder, owner) && !isZombie(pid);
    } catch {
      return false; // the process has ended, or belongs to another user
    }
  });
}

/** Reads the owner from the marker of a process. */
function readOwner(pid: number): string | undefined {
  const environment = readFileSync(`/proc/${pid}/environ`);
  const name = Buffer.from(`${RUN_MARKER}=`);
  let at = environment.indexOf(name);
  while (at > 0 && environment[at - 1] !== 0) at = environment.indexOf(name, at + 1);
  if (at < 0) return undefined;
  const end = environment.indexOf(0, at);
  const value = environment.toString("utf8", at + name.length, end < 0 ? undefined : end);
  return value.split("/")[1];
}
