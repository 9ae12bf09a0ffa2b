/** How long to wait before dialling again: longer each time, and never all at once. */
export function backOffMs(
  attempt: number,
  capMs: number,
  random: number = Math.random(),
  firstMs = 200,
): number {
  const full = Math.min(capMs, firstMs * 2 ** Math.min(attempt, 20));
  return Math.round(full * (0.5 + random / 2));
}
