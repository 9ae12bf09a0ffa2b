/**
 * Options of `fetch` with which a request to this machine goes to it directly. Bun's \`fetch\` uses the proxy
 * that the environment names for loopback too, unless it is told not to (1.4.4: \`proxy: false\`); other
 * runtimes ignore the option. Bun's WebSockets never use a proxy for loopback.
 */
export function bypassProxyForLoopback(url: string): object {
  const { hostname } = new URL(url);
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) ? { proxy: false } : {};
}
