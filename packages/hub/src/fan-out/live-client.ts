import type { SendFrame, Subscriber, UnsentBytes } from "../engine.ts";
import type { Store } from "../store/store.ts";
import type { Session } from "../session/session.ts";
import type { Board } from "./board.ts";
import { ClientChannel } from "./client-channel.ts";
import { Watch } from "./watch.ts";

/** More sessions than a page shows at once. */
const MAX_WATCHES = 64;

/** One live client: the sessions it watches, and the board. */
export class LiveClient implements Subscriber {
  readonly #channel: ClientChannel;
  readonly #board: Board;
  readonly #store: Store;
  readonly #findSession: (id: string) => Session | undefined;
  readonly #watches = new Map<string, Watch | "loading">();

  constructor(
    send: SendFrame,
    board: Board,
    store: Store,
    find: (id: string) => Session | undefined,
    unsentBytes?: UnsentBytes,
  ) {
    this.#channel = new ClientChannel(send, unsentBytes);
    this.#board = board;
    this.#store = store;
    this.#findSession = find;
  }

  watchBoard(): void {
    this.#board.watch(this.#channel);
  }

  leaveBoard(): void {
    this.#board.leave(this.#channel);
  }

  watch(id: string, has?: { epoch: string; rev: number }): void {
    this.leave(id);
    const session = this.#findSession(id);
    if (!session) {
      this.#channel.send(JSON.stringify({ type: "gone", session: id }));
      return;
    }
    if (this.#watches.size >= MAX_WATCHES) {
      const detail = `No more than ${MAX_WATCHES} sessions can be watched at once: leave one first.`;
      this.#channel.send(JSON.stringify({ type: "refused", detail }));
      return;
    }
    this.#watches.set(id, "loading");
    void session.loadIngest().then(
      () => this.#startWatch(session, has),
      () => this.#watches.delete(id), // the store is gone; so will be this connection
    );
  }

  #startWatch(session: Session, has: { epoch: string; rev: number } | undefined): void {
    if (this.#channel.closed || this.#watches.get(session.id) !== "loading") return;
    const watch = new Watch(session, this.#store, this.#channel, has);
    this.#watches.set(session.id, watch);
    session.watch(watch);
  }

  leave(id: string): void {
    const watch = this.#watches.get(id);
    this.#watches.delete(id);
    if (!watch || watch === "loading") return;
    watch.end();
    this.#findSession(id)?.removeWatch(watch);
  }

  /** The session was deleted. */
  onSessionDeleted(id: string): void {
    if (!this.#watches.has(id)) return;
    this.leave(id);
    this.#channel.send(JSON.stringify({ type: "gone", session: id }));
  }

  acknowledge(received: number): void {
    this.#channel.acknowledge(received);
  }

  drained(): void {
    this.#channel.drained();
  }

  close(): void {
    this.#channel.close();
    this.leaveBoard();
    for (const id of this.#watches.keys()) this.leave(id);
  }
}
