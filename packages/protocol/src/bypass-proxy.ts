import { isLoopbackUrl } from "./loopback.ts";

export { isLoopbackHost, isLoopbackUrl } from "./loopback.ts";

/**
 * Options for `fetch` that send a request to this machine directly instead of through a proxy.
 * Bun's `fetch` uses the proxy named in the environment even for loopback, unless it gets `proxy:
 * false` (seen on 1.4.4). Other runtimes ignore the option, and Bun's WebSockets never use a proxy
 * for loopback.
 */
export function bypassProxyForLoopback(url: string): object {
  return isLoopbackUrl(url) ? { proxy: false } : {};
}
