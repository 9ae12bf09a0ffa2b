import { useSyncExternalStore } from "react";

/** What is less may be the way of the word. */
const SAME_MS = 2000;
let aheadMs = 0;

/** All times that the hub tells are by its clock: by it, too, is told how long ago they are. */
export function setHubClock(hubAheadMs: number): void {
  aheadMs = Math.abs(hubAheadMs) < SAME_MS ? 0 : hubAheadMs;
}

/** A time by this browser's clock, as the hub's would have it. */
export function byHubClock(at: number): number {
  return at + aheadMs;
}

/** One timer for all who show how long something has lasted; none while nobody does. */
function ticking(ms: number) {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let now = byHubClock(Date.now());
  const tick = () => {
    now = byHubClock(Date.now());
    for (const listener of listeners) listener();
  };
  return {
    read: () => now,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      if (timer === undefined) {
        now = byHubClock(Date.now());
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

const seconds = ticking(1000);
const still = { subscribe: () => () => undefined };

/** The time by the hub's clock, by the second while `running`. */
export function useSeconds(running = true): number {
  return useSyncExternalStore(running ? seconds.subscribe : still.subscribe, seconds.read);
}
