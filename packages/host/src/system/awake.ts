import { setTimeout as sleep } from "node:timers/promises";

const STEP_MS = 500;

/**
 * Waits for a duration in which this process was running. While it is stopped, or the machine
 * sleeps, no answer can arrive, and a plain timer would treat that as silence.
 */
export async function delayWhileAwake(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; left > 0;) {
    const step = Math.min(left, STEP_MS);
    await sleep(step, undefined, { ref: false, ...(signal && { signal }) });
    left -= step;
  }
}

/** Aborts after this much awake time, unless it is settled before. */
export function deadlineWhileAwake(ms: number): { readonly signal: AbortSignal; settle(): void } {
  const [late, settled] = [new AbortController(), new AbortController()];
  void delayWhileAwake(ms, settled.signal).then(
    () => late.abort(),
    () => {},
  );
  return { signal: late.signal, settle: () => settled.abort() };
}

const LOOK_MS = 1000;
const MISSED_MS = 3000;

/** Calls back when this process has been stopped, or the machine asleep, for a while. */
export function onWake(woke: () => void): { stop(): void } {
  let last = Date.now(); // a monotonic clock stands still while the machine sleeps
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last > MISSED_MS) woke();
    last = now;
  }, LOOK_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
