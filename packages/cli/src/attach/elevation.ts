import { hostname, userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { HubClient } from "@signalbox/client";
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
 * knows it on the other device. Undefined: it was refused, or nobody confirmed it in time.
 */
export async function elevate(
  hub: LocalHub,
  told: (words: string) => void,
  signal: AbortSignal,
): Promise<Elevation | undefined> {
  const asked = await hub.requestElevation(`${userInfo().username}@${hostname()}`.slice(0, 100));
  told(asked.words);
  for (;;) {
    const { status } = await hub.elevation(asked.id);
    if (status === "refused" || status === "expired") return undefined;
    if (status === "confirmed") break;
    await sleep(LOOK_MS, undefined, { signal });
  }
  const { token } = await hub.claimElevation(asked.id);
  if (token === undefined) return undefined;
  const lifted = hub.as(token);
  const alive = setInterval(() => void lifted.hub().catch(() => {}), SIGN_OF_LIFE_MS);
  return {
    hub: lifted,
    [Symbol.dispose]() {
      clearInterval(alive);
      lifted.close();
    },
  };
}
