import { useSyncExternalStore } from "react";

/** Smaller differences may be caused by the network. */
const IGNORED_OFFSET_MS = 2000;
let hubOffsetMs = 0;

/** Sets how far the hub's clock is ahead. Times from the hub are compared with the hub's clock. */
export function setHubClockOffset(hubAheadMs: number): void {
  hubOffsetMs = Math.abs(hubAheadMs) < IGNORED_OFFSET_MS ? 0 : hubAheadMs;
}

/** Converts a time of this browser's clock to the hub's. */
export function toHubTime(at: number): number {
  return at + hubOffsetMs;
}

/** A timer that is shared by all views and runs only while one needs it. */
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

/** The current time by the hub's clock, updated every second while `running`. */
export function useSeconds(running = true): number {
  return useSyncExternalStore(
    running ? secondTicker.subscribe : stoppedTicker.subscribe,
    secondTicker.read,
    secondTicker.read,
  );
}
