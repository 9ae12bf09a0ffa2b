/** A WebSocket of Bun, with the methods that browsers do not have. */
export type BunSocket = WebSocket & { ping(): void; terminate(): void };

interface BunSocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
}

/**
 * Opens a WebSocket with headers, which Bun supports. The class is looked up at the call, because Node 20 has no
 * WebSocket and still has to be able to load this module.
 */
export function openBunSocket(url: string, options: BunSocketOptions): BunSocket {
  const BunWebSocket = WebSocket as unknown as new (
    url: string,
    options: BunSocketOptions,
  ) => BunSocket;
  return new BunWebSocket(url, options);
}
