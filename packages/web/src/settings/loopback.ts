const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether an address is reachable from the hub's own machine only. */
export function isLoopback(url: string): boolean {
  return loopback.has(new URL(url).hostname);
}
