import type { SendFrame, UnsentBytes } from "./client-channel.ts";
import { LiveClient, type LiveClientOptions, type Subscriber } from "./live-client.ts";

type LiveClientsOptions = Pick<
  LiveClientOptions,
  "board" | "store" | "terminals" | "folderWatches" | "findSession"
>;

/** All clients that are connected. */
export class LiveClients {
  readonly #options: LiveClientsOptions;
  readonly #clients = new Set<LiveClient>();

  constructor(options: LiveClientsOptions) {
    this.#options = options;
  }

  /** Registers a client until it is closed. `send` sends a frame to it. */
  connect(send: SendFrame, unsentBytes?: UnsentBytes): Subscriber {
    const client = new LiveClient({
      ...this.#options,
      send,
      unsentBytes,
      onClose: () => this.#clients.delete(client),
    });
    this.#clients.add(client);
    return client;
  }

  onSessionDeleted(id: string): void {
    for (const client of this.#clients) client.onSessionDeleted(id);
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }
}
