import type { SendFrame, UnsentBytes } from "./client-channel.ts";
import { LiveClient, type LiveClientOptions, type Subscriber } from "./live-client.ts";

type LiveClientsOptions = Pick<
  LiveClientOptions,
  "board" | "store" | "terminals" | "folderWatches" | "findSession"
>;

export interface ClientFigures {
  readonly connected: number;
  readonly slow: number;
  /** What was sent since the hub was started, to clients that have left, too. */
  readonly sentCharacters: number;
}

/** All clients that are connected. */
export class LiveClients {
  readonly #options: LiveClientsOptions;
  readonly #clients = new Set<LiveClient>();
  #sentByClosed = 0;

  constructor(options: LiveClientsOptions) {
    this.#options = options;
  }

  /** Registers a client until it is closed. `send` sends a frame to it. */
  connect(send: SendFrame, unsentBytes?: UnsentBytes): Subscriber {
    const client = new LiveClient({
      ...this.#options,
      send,
      unsentBytes,
      onClose: () => {
        if (this.#clients.delete(client)) this.#sentByClosed += client.sentUnits;
      },
    });
    this.#clients.add(client);
    return client;
  }

  /** Figures about all clients, for the metrics. */
  getFigures(): ClientFigures {
    const clients = [...this.#clients];
    return {
      connected: clients.length,
      slow: clients.filter(({ isSlow }) => isSlow).length,
      sentCharacters: clients.reduce((sum, { sentUnits }) => sum + sentUnits, this.#sentByClosed),
    };
  }

  onSessionDeleted(id: string): void {
    for (const client of this.#clients) client.onSessionDeleted(id);
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }
}
