/** How long to wait before the next try: longer each time, and never for all clients the same. */
export interface BackOff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** `random` is from 0 up to 1. The half that is not left to chance keeps tries apart. */
export function delayMs(tries: number, { firstMs, mostMs }: BackOff, random: number): number {
  const whole = Math.min(mostMs, firstMs * 2 ** Math.min(tries, 30));
  return whole / 2 + (whole / 2) * random;
}

/** Waits, or rejects with the signal's reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, ms);
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true });
  });
}
