/** Waits for work until it settles or the signal aborts. */
export const untilAborted = (
  work: Promise<unknown> | undefined,
  signal: AbortSignal,
): Promise<unknown> =>
  Promise.race([
    work,
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    }),
  ]);
