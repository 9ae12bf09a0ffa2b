import { readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { ElevationView } from "@signalbox/api";
import { generateDeviceKey, type HubClient, HubError } from "@signalbox/client";
import type { LocalHub } from "../hub/local-hub.ts";

const POLL_MS = 500;
/** The hub ends the elevation of a terminal that has been silent for some minutes. */
const KEEP_ALIVE_MS = 60_000;

export interface Elevation extends Disposable {
  /** The hub, with the rights of this confirmed terminal. */
  readonly hub: HubClient;
}

/**
 * Requests the rights of an approver or an admin for this terminal for as long as it runs. `showWords` shows the
 * words by which the person recognizes it on the other device, and the page on which it is confirmed. `expired` means that nobody decided in time or the hub restarted.
 */
export async function elevateTerminal(
  hub: LocalHub,
  role: ElevationView["role"],
  showWords: (words: string, page: string) => void,
  signal: AbortSignal,
): Promise<Elevation | "refused" | "expired"> {
  const { privateKey, publicKey } = await generateDeviceKey(); // the key exists only in this process
  const asked = await hub.requestElevation({ name: getTerminalName(), publicKey, role });
  showWords(asked.words, asked.page);
  for (;;) {
    const status = await getElevationStatus(hub, asked.id);
    if (status === "refused" || status === "expired") return status;
    if (status === "confirmed") break;
    await sleep(POLL_MS, undefined, { signal });
  }
  const elevated = hub.connectAs({ device: asked.id, privateKey });
  const alive = setInterval(() => void elevated.hub().catch(() => {}), KEEP_ALIVE_MS);
  return {
    hub: elevated,
    [Symbol.dispose]() {
      clearInterval(alive);
      elevated.close();
    },
  };
}

/** Names the terminal in the audit log, for example `ada@box pts/3`. */
function getTerminalName(): string {
  const who = `${userInfo().username}@${hostname()}`.slice(0, 80);
  try {
    return `${who} ${readlinkSync("/proc/self/fd/0").replace("/dev/", "").slice(0, 19)}`;
  } catch {
    return who; // not on Linux
  }
}

async function getElevationStatus(hub: LocalHub, id: string): Promise<string> {
  try {
    return (await hub.elevation(id)).status;
  } catch (failure) {
    if (!HubError.is(failure)) throw failure;
    if (failure.status === 404) return "expired"; // a restarted hub knows no elevations
    if (isTemporary(failure)) return "waiting";
    throw failure;
  }
}

/** Whether the same call may succeed a little later. */
export function isTemporary({ status }: HubError): boolean {
  return status === 0 || status >= 500;
}

/** Says why a terminal was not elevated. */
export function describeUnconfirmed(result: "refused" | "expired"): string {
  return result === "refused"
    ? "This terminal was not confirmed."
    : "The confirmation request expired.";
}
