import { useSyncExternalStore } from "react";

/** One timer for all who show how long something has lasted; none while nobody does. */
function ticking(ms: number) {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let now = Date.now();
  const tick = () => {
    now = Date.now();
    for (const listener of listeners) listener();
  };
  return {
    read: () => now,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      if (timer === undefined) {
        now = Date.now();
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

/** The time, by the second while `running`. */
export function useSeconds(running = true): number {
  return useSyncExternalStore(running ? seconds.subscribe : still.subscribe, seconds.read);
}
