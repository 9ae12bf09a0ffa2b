import type { Store } from "../store/store.ts";
import type { Board } from "./board.ts";
import type { SendFrame, UnsentBytes } from "./client-channel.ts";
import { LiveClient, type Subscriber, type WatchableSession } from "./live-client.ts";

/** All clients that are connected. */
export class LiveClients {
  readonly #board: Board;
  readonly #store: Store;
  readonly #findSession: (id: string) => WatchableSession | undefined;
  readonly #clients = new Set<LiveClient>();

  constructor(
    board: Board,
    store: Store,
    findSession: (id: string) => WatchableSession | undefined,
  ) {
    this.#board = board;
    this.#store = store;
    this.#findSession = findSession;
  }

  /** Registers a client until it is closed. `send` sends a frame to it. */
  connect(send: SendFrame, unsentBytes?: UnsentBytes): Subscriber {
    const client = new LiveClient({
      board: this.#board,
      store: this.#store,
      findSession: this.#findSession,
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
