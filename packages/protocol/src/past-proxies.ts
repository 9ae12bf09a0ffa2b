/**
 * What is on this machine is never asked through a proxy: Bun's `fetch` takes the one that the environment
 * names for loopback, too, unless it is told not to (1.4.4: `proxy: false`). Its WebSockets never do.
 */
export function pastProxies(url: string): object {
  const { hostname } = new URL(url);
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) ? { proxy: false } : {};
}
