import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { HUB_DESCRIPTOR, type HubDescriptor, hubDescriptor } from "@signalbox/protocol";
import { readPrivateFile, replacePrivateFile } from "../data/private-file.ts";
import type { Store } from "../log/store.ts";
import type { Access } from "./access.ts";

const DEVICE = "command-line-device";

/**
 * Writes `hub.json`, by which programs of the same user find the hub, with the command line's token: a
 * driver's. A token that a hub which was killed left there stays good, so that whoever runs notices nothing.
 */
export async function writeDescriptor(
  folder: string,
  url: string,
  access: Access,
  store: Store,
): Promise<HubDescriptor> {
  const { hub, key } = access.identity;
  const token = leftToken(folder, access) ?? (await freshToken(access, store));
  const descriptor: HubDescriptor = { hub, url, key, token, pid: process.pid };
  replacePrivateFile(join(folder, HUB_DESCRIPTOR), `${JSON.stringify(descriptor)}\n`);
  return descriptor;
}

/** Takes the descriptor away, if it is still this process's. */
export function removeDescriptor(folder: string): void {
  if (readDescriptor(folder)?.pid === process.pid) {
    rmSync(join(folder, HUB_DESCRIPTOR), { force: true });
  }
}

function readDescriptor(folder: string): HubDescriptor | undefined {
  try {
    return hubDescriptor.parse(JSON.parse(readPrivateFile(join(folder, HUB_DESCRIPTOR)) ?? ""));
  } catch {
    return undefined;
  }
}

function leftToken(folder: string, access: Access): string | undefined {
  const token = readDescriptor(folder)?.token;
  const credential = token === undefined ? undefined : access.authenticate(token);
  return credential?.kind === "person" && credential.actor.role === "driver" ? token : undefined;
}

async function freshToken(access: Access, store: Store): Promise<string> {
  const id = (await store.setting(DEVICE)) ?? randomUUID();
  const news = {
    id,
    name: "command line",
    role: "driver",
    by: null,
    how: "the hub's start",
  } as const;
  const { token } = await access.book.add(news);
  await store.commit([{ kind: "setting", key: DEVICE, value: id }]);
  return token;
}
