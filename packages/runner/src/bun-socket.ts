/** What Bun's WebSocket can do beyond a browser's. */
export type BunSocket = WebSocket & { ping(): void; terminate(): void };

interface BunSocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
}

/**
 * Opens a WebSocket with headers, as Bun can. The class is looked up when it is called for: Node 20 has
 * none, and must be able to load whatever imports this file.
 */
export function openBunSocket(url: string, options: BunSocketOptions): BunSocket {
  const BunWebSocket = WebSocket as unknown as new (
    url: string,
    options: BunSocketOptions,
  ) => BunSocket;
  return new BunWebSocket(url, options);
}
