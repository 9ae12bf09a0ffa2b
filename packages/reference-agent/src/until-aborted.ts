/** Waits for work, and no longer than anybody wants it. */
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
