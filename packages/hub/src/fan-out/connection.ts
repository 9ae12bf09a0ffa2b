import type { SendFrame, Subscriber, UnsentBytes } from "../engine.ts";
import type { Store } from "../log/store.ts";
import type { Session } from "../session/session.ts";
import type { Board } from "./board.ts";
import { Outlet } from "./outlet.ts";
import { Watch } from "./watch.ts";

/** More sessions than a page shows at once. */
const MOST_WATCHES = 64;

/** One live client: the sessions it watches, and the board. */
export class Connection implements Subscriber {
  readonly #outlet: Outlet;
  readonly #board: Board;
  readonly #store: Store;
  readonly #find: (id: string) => Session | undefined;
  readonly #watches = new Map<string, Watch | "loading">();

  constructor(
    send: SendFrame,
    board: Board,
    store: Store,
    find: (id: string) => Session | undefined,
    unsentBytes?: UnsentBytes,
  ) {
    this.#outlet = new Outlet(send, unsentBytes);
    this.#board = board;
    this.#store = store;
    this.#find = find;
  }

  watchBoard(): void {
    this.#board.watch(this.#outlet);
  }

  leaveBoard(): void {
    this.#board.leave(this.#outlet);
  }

  watch(id: string, has?: { epoch: string; rev: number }): void {
    this.leave(id);
    const session = this.#find(id);
    if (!session) {
      this.#outlet.send(JSON.stringify({ type: "gone", session: id }));
      return;
    }
    if (this.#watches.size >= MOST_WATCHES) {
      const detail = `No more than ${MOST_WATCHES} sessions can be watched at once: leave one first.`;
      this.#outlet.send(JSON.stringify({ type: "refused", detail }));
      return;
    }
    this.#watches.set(id, "loading");
    void session.load().then(
      () => this.#begin(session, has),
      () => this.#watches.delete(id), // the store is gone; so will be this connection
    );
  }

  #begin(session: Session, has: { epoch: string; rev: number } | undefined): void {
    if (this.#outlet.closed || this.#watches.get(session.id) !== "loading") return;
    const watch = new Watch(session, this.#store, this.#outlet, has);
    this.#watches.set(session.id, watch);
    session.watch(watch);
  }

  leave(id: string): void {
    const watch = this.#watches.get(id);
    this.#watches.delete(id);
    if (!watch || watch === "loading") return;
    watch.end();
    this.#find(id)?.unwatch(watch);
  }

  /** The session was deleted. */
  gone(id: string): void {
    if (!this.#watches.has(id)) return;
    this.leave(id);
    this.#outlet.send(JSON.stringify({ type: "gone", session: id }));
  }

  acknowledge(received: number): void {
    this.#outlet.acknowledge(received);
  }

  drained(): void {
    this.#outlet.drained();
  }

  close(): void {
    this.#outlet.close();
    this.leaveBoard();
    for (const id of this.#watches.keys()) this.leave(id);
  }
}
