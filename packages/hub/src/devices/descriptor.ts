import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { HUB_DESCRIPTOR, type HubDescriptor, hubDescriptor } from "@signalbox/protocol";

/** How programs of the same user find the hub. Whole or not at all, and for that user's eyes alone. */
export async function writeDescriptor(folder: string, descriptor: HubDescriptor): Promise<void> {
  const fresh = join(folder, `${HUB_DESCRIPTOR}.${randomUUID()}`);
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = await open(fresh, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
  try {
    await file.writeFile(`${JSON.stringify(descriptor)}\n`);
  } finally {
    await file.close();
  }
  await rename(fresh, join(folder, HUB_DESCRIPTOR));
}

/** Takes the descriptor away, if it is still this process's. */
export async function removeDescriptor(folder: string, pid: number): Promise<void> {
  const path = join(folder, HUB_DESCRIPTOR);
  const text = await readFile(path, "utf8").catch(() => "");
  if (readPid(text) === pid) await rm(path, { force: true });
}

function readPid(text: string): number | undefined {
  try {
    return hubDescriptor.parse(JSON.parse(text)).pid;
  } catch {
    return undefined;
  }
}
