import { setTimeout as sleep } from "node:timers/promises";

const STEP_MS = 500;

/**
 * Waits for so much time in which this process was running. While it is stopped, or the machine
 * sleeps, nobody could answer us: a plain timer would call that silence.
 */
export async function awakeFor(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; left > 0;) {
    const step = Math.min(left, STEP_MS);
    await sleep(step, undefined, { ref: false, ...(signal && { signal }) });
    left -= step;
  }
}

/** Aborts after so much awake time, unless it is settled before. */
export function awakeDeadline(ms: number): { readonly signal: AbortSignal; settle(): void } {
  const [late, settled] = [new AbortController(), new AbortController()];
  void awakeFor(ms, settled.signal).then(
    () => late.abort(),
    () => {},
  );
  return { signal: late.signal, settle: () => settled.abort() };
}
