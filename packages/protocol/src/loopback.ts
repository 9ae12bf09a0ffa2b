/** Whether a host name or an address, as it stands in a URL or in a socket, is this machine's own. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** Whether an address can be reached only from its own machine. */
export function isLoopbackUrl(url: URL | string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}
