import { readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { generateDeviceKey, type HubClient, HubError } from "@signalbox/client";
import type { LocalHub } from "../hub/local-hub.ts";

const POLL_MS = 500;
/** A terminal that is not heard of for some minutes may no longer answer. */
const KEEP_ALIVE_MS = 60_000;

export interface Elevation extends Disposable {
  /** The hub, for whoever may answer. */
  readonly hub: HubClient;
}

/**
 * Asks that this terminal may answer for as long as it runs. `told` shows the words by which the person
 * knows it on the other device. `expired`: nobody decided in time, or the hub was started anew meanwhile.
 */
export async function elevateTerminal(
  hub: LocalHub,
  told: (words: string) => void,
  signal: AbortSignal,
): Promise<Elevation | "refused" | "expired"> {
  const { privateKey, publicKey } = await generateDeviceKey(); // in this process alone
  const asked = await hub.requestElevation({ name: getTerminalName(), publicKey });
  told(asked.words);
  for (;;) {
    const status = await getElevationStatus(hub, asked.id);
    if (status === "refused" || status === "expired") return status;
    if (status === "confirmed") break;
    await sleep(POLL_MS, undefined, { signal });
  }
  const lifted = hub.connectAs({ device: asked.id, privateKey });
  const alive = setInterval(() => void lifted.hub().catch(() => {}), KEEP_ALIVE_MS);
  return {
    hub: lifted,
    [Symbol.dispose]() {
      clearInterval(alive);
      lifted.close();
    },
  };
}

/** By which the audit tells one terminal from another, such as `ada@box pts/3`. */
function getTerminalName(): string {
  const who = `${userInfo().username}@${hostname()}`.slice(0, 80);
  try {
    return `${who} ${readlinkSync("/proc/self/fd/0").replace("/dev/", "").slice(0, 19)}`;
  } catch {
    return who; // no Linux
  }
}

async function getElevationStatus(hub: LocalHub, id: string): Promise<string> {
  try {
    return (await hub.elevation(id)).status;
  } catch (failure) {
    if (!HubError.is(failure)) throw failure;
    if (failure.status === 404) return "expired"; // a hub that was started anew knows of none
    if (isTemporary(failure)) return "waiting";
    throw failure;
  }
}

/** Whether the same may work a little later. */
export function isTemporary({ status }: HubError): boolean {
  return status === 0 || status >= 500;
}
