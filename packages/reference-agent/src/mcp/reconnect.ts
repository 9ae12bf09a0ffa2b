import { setTimeout as wait } from "node:timers/promises";

const FIRST_DELAY_MS = 1000;
const MAX_TRIES = 5;

/** Retries with delays that double, until it works. Returns the last failure if it never does. */
export async function reconnect(
  attempt: () => Promise<unknown>,
  isWanted: () => boolean,
): Promise<Error | undefined> {
  let failure = new Error("it was not tried");
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await wait(FIRST_DELAY_MS * 2 ** tries, undefined, { ref: false });
    if (!isWanted()) return undefined;
    try {
      await attempt();
      return undefined;
    } catch (cause) {
      failure = cause as Error;
    }
  }
  return isWanted() ? failure : undefined;
}
