import { useSyncExternalStore } from "react";

/** What is less may be the way of the word. */
const IGNORED_OFFSET_MS = 2000;
let hubOffsetMs = 0;

/** All times that the hub tells are by its clock: by it, too, is told how long ago they are. */
export function setHubClockOffset(hubAheadMs: number): void {
  hubOffsetMs = Math.abs(hubAheadMs) < IGNORED_OFFSET_MS ? 0 : hubAheadMs;
}

/** A time by this browser's clock, as the hub's would have it. */
export function toHubTime(at: number): number {
  return at + hubOffsetMs;
}

/** One timer for all who show how long something has lasted; none while nobody does. */
function createTicker(ms: number) {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let now = toHubTime(Date.now());
  const tick = () => {
    now = toHubTime(Date.now());
    for (const listener of listeners) listener();
  };
  return {
    read: () => now,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      if (timer === undefined) {
        now = toHubTime(Date.now());
        timer = setInterval(tick, ms);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const secondTicker = createTicker(1000);
const stoppedTicker = { subscribe: () => () => undefined };

/** The time by the hub's clock, by the second while `running`. */
export function useSeconds(running = true): number {
  return useSyncExternalStore(
    running ? secondTicker.subscribe : stoppedTicker.subscribe,
    secondTicker.read,
    secondTicker.read,
  );
}
