import { rmSync } from "node:fs";
import { join } from "node:path";
import type { HubDescriptor } from "@signalbox/api";
import { COMMAND_LINE_KEY, HUB_DESCRIPTOR } from "@signalbox/api/constants";
import { hubDescriptor } from "@signalbox/api/schemas";
import { readDeviceSigningKey } from "@signalbox/runner/keys";
import { readPrivateFile, replacePrivateFile } from "../data/private-file.ts";
import { readOrAddMachineId } from "../store/shared-setting.ts";
import type { Store } from "../store/store.ts";
import type { AccessControl } from "./access-control.ts";

/**
 * Writes `hub.json`, by which programs of the same user find and verify the hub, and beside it the command
 * line's own key, which has the role driver. An existing key stays valid, so that running commands notice
 * nothing.
 */
export async function writeDescriptor(
  folder: string,
  url: string,
  access: AccessControl,
  store: Store,
): Promise<void> {
  const { hub, key } = access.identity;
  if (!hasGoodKey(folder, access)) await makeKey(folder, access, store);
  const descriptor: HubDescriptor = { hub, url, key: key.publicKey, pid: process.pid };
  replacePrivateFile(join(folder, HUB_DESCRIPTOR), `${JSON.stringify(descriptor)}\n`);
}

/** Removes the descriptor if it still belongs to this process. */
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

function hasGoodKey(folder: string, access: AccessControl): boolean {
  const key = readDeviceSigningKey(keyText(folder));
  const row = key && access.devices.find(key.device);
  return row?.role === "driver" && row.publicKey === key?.publicKey;
}

function keyText(folder: string): string {
  try {
    return readPrivateFile(join(folder, COMMAND_LINE_KEY)) ?? "";
  } catch {
    return ""; // others could have read it, so it is replaced
  }
}

async function makeKey(folder: string, access: AccessControl, store: Store): Promise<void> {
  const id = await readOrAddMachineId(store, "command-line-device");
  const { key } = await access.devices.add({
    id,
    name: "command line",
    role: "driver",
    by: null,
    how: "the hub's start",
    neverExpires: true,
  });
  replacePrivateFile(join(folder, COMMAND_LINE_KEY), `${key}\n`);
}
