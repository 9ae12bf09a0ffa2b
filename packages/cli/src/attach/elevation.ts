import { readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { generateDeviceKey, type HubClient, HubError } from "@signalbox/client";
import type { LocalHub } from "../hub/local-hub.ts";

const LOOK_MS = 500;
/** A terminal that is not heard of for some minutes may no longer answer. */
const SIGN_OF_LIFE_MS = 60_000;

export interface Elevation extends Disposable {
  /** The hub, for whoever may answer. */
  readonly hub: HubClient;
}

/**
 * Asks that this terminal may answer for as long as it runs. `told` shows the words by which the person
 * knows it on the other device. `expired`: nobody decided in time, or the hub was started anew meanwhile.
 */
export async function elevate(
  hub: LocalHub,
  told: (words: string) => void,
  signal: AbortSignal,
): Promise<Elevation | "refused" | "expired"> {
  const { privateKey, publicKey } = await generateDeviceKey(); // in this process alone
  const asked = await hub.requestElevation({ name: terminalName(), publicKey });
  told(asked.words);
  for (;;) {
    const status = await statusOf(hub, asked.id);
    if (status === "refused" || status === "expired") return status;
    if (status === "confirmed") break;
    await sleep(LOOK_MS, undefined, { signal });
  }
  const lifted = hub.as({ device: asked.id, privateKey });
  const alive = setInterval(() => void lifted.hub().catch(() => {}), SIGN_OF_LIFE_MS);
  return {
    hub: lifted,
    [Symbol.dispose]() {
      clearInterval(alive);
      lifted.close();
    },
  };
}

/** By which the audit tells one terminal from another, such as `ada@box pts/3`. */
function terminalName(): string {
  const who = `${userInfo().username}@${hostname()}`.slice(0, 80);
  try {
    return `${who} ${readlinkSync("/proc/self/fd/0").replace("/dev/", "").slice(0, 19)}`;
  } catch {
    return who; // no Linux
  }
}

async function statusOf(hub: LocalHub, id: string): Promise<string> {
  try {
    return (await hub.elevation(id)).status;
  } catch (failure) {
    if (!HubError.is(failure)) throw failure;
    if (failure.status === 404) return "expired"; // a hub that was started anew knows of none
    if (isAway(failure)) return "waiting";
    throw failure;
  }
}

/** Whether the same may work a little later. */
export function isAway({ status }: HubError): boolean {
  return status === 0 || status >= 500;
}
