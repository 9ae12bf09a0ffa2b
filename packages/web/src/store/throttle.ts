/** Runs `work` at most once every `ms` milliseconds, and once after the last call. */
export function throttle(ms: number, work: () => void): () => void {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    setTimeout(() => {
      waits = false;
      work();
    }, ms);
  };
}
