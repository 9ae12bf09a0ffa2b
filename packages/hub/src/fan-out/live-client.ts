import type { Store } from "../store/store.ts";
import type { Board } from "./board.ts";
import { ClientChannel, type SendFrame, type UnsentBytes } from "./client-channel.ts";
import { SessionSubscription, type Watchable, type WatchOptions } from "./session-subscription.ts";

/** How many sessions one client may watch at once. The page shows fewer. */
const MAX_WATCHES = 64;
/** How many sessions' folders one client may watch at once. */
const MAX_FOLDERS = 16;
/** How many terminals one client may watch at once. */
const MAX_TERMINALS = 16;

/** What a connected client can request of the hub's live data. */
export interface Subscriber {
  /** `patches`: the client understands changes of sessions. */
  watchBoard(patches?: boolean): void;
  leaveBoard(): void;
  watch(session: string, options?: WatchOptions): void;
  leave(session: string): void;
  watchTerminal(terminal: string): void;
  leaveTerminal(terminal: string): void;
  watchChanges(session: string): void;
  leaveChanges(session: string): void;
  /** Called when the client has applied this many UTF-16 units of what it was sent. */
  acknowledge(received: number): void;
  /** Called when everything that was handed over has left this process. */
  onDrained(): void;
  close(): void;
}

/** A session as live clients need it. */
export interface WatchableSession extends Watchable {
  /** Reads from the store what is needed to watch the session. */
  loadIngest(): Promise<unknown>;
  addSubscription(subscription: SessionSubscription): void;
  removeSubscription(subscription: SessionSubscription): void;
}

/** The terminals as a client watches them. */
interface WatchableTerminals {
  watch(terminal: string, viewer: ClientChannel): void;
  leave(terminal: string, viewer: ClientChannel): void;
}

/** The folders of sessions as a client watches them. */
interface WatchableFolders {
  watch(session: string, viewer: ClientChannel): void;
  leave(session: string, viewer: ClientChannel): void;
}

export interface LiveClientOptions {
  readonly board: Board;
  readonly terminals: WatchableTerminals;
  readonly folderWatches: WatchableFolders;
  readonly store: Store;
  readonly findSession: (id: string) => WatchableSession | undefined;
  readonly send: SendFrame;
  readonly unsentBytes: UnsentBytes | undefined;
  readonly onClose: () => void;
}

/** One connected client: the sessions it watches, and whether it watches the board. */
export class LiveClient implements Subscriber {
  readonly #channel: ClientChannel;
  readonly #board: Board;
  readonly #store: Store;
  readonly #findSession: LiveClientOptions["findSession"];
  readonly #onClose: () => void;
  readonly #subscriptions = new Map<string, SessionSubscription | "loading">();
  readonly #terminals: WatchableTerminals;
  readonly #watchedTerminals = new Set<string>();
  readonly #folderWatches: WatchableFolders;
  readonly #watchedFolders = new Set<string>();

  constructor(options: LiveClientOptions) {
    const { board, store, terminals, findSession, send, unsentBytes, onClose } = options;
    this.#channel = new ClientChannel(send, unsentBytes);
    this.#board = board;
    this.#store = store;
    this.#findSession = findSession;
    this.#terminals = terminals;
    this.#folderWatches = options.folderWatches;
    this.#onClose = onClose;
  }

  get sentUnits(): number {
    return this.#channel.sentUnits;
  }

  /** Whether the client is over the limit of what it has not acknowledged, and is sent nothing now. */
  get isSlow(): boolean {
    return !this.#channel.fits(1);
  }

  watchBoard(patches = false): void {
    this.#board.watch(this.#channel, patches);
  }

  leaveBoard(): void {
    this.#board.leave(this.#channel);
  }

  watch(id: string, options?: WatchOptions): void {
    this.leave(id);
    const session = this.#findSession(id);
    if (!session) {
      this.#channel.send(JSON.stringify({ type: "gone", session: id }));
      return;
    }
    if (this.#subscriptions.size >= MAX_WATCHES) {
      const detail = `At most ${MAX_WATCHES} sessions can be watched at once. Stop watching one first.`;
      this.#channel.send(JSON.stringify({ type: "refused", detail }));
      return;
    }
    this.#subscriptions.set(id, "loading");
    void session.loadIngest().then(
      () => this.#startSubscription(session, options),
      () => this.#subscriptions.delete(id), // the store is closed, and this connection is about to be
    );
  }

  #startSubscription(session: WatchableSession, options: WatchOptions | undefined): void {
    if (this.#channel.closed || this.#subscriptions.get(session.id) !== "loading") return;
    const subscription = new SessionSubscription(session, this.#store, this.#channel, options);
    this.#subscriptions.set(session.id, subscription);
    session.addSubscription(subscription);
  }

  leave(id: string): void {
    const subscription = this.#subscriptions.get(id);
    this.#subscriptions.delete(id);
    if (!subscription || subscription === "loading") return;
    subscription.end();
    this.#findSession(id)?.removeSubscription(subscription);
  }

  watchTerminal(id: string): void {
    if (!this.#watchedTerminals.has(id) && this.#watchedTerminals.size >= MAX_TERMINALS) {
      const detail = `At most ${MAX_TERMINALS} terminals can be watched at once. Stop watching one first.`;
      this.#channel.send(JSON.stringify({ type: "refused", detail }));
      return;
    }
    this.#watchedTerminals.add(id);
    this.#terminals.watch(id, this.#channel);
  }

  leaveTerminal(id: string): void {
    if (this.#watchedTerminals.delete(id)) this.#terminals.leave(id, this.#channel);
  }

  watchChanges(session: string): void {
    if (!this.#watchedFolders.has(session) && this.#watchedFolders.size >= MAX_FOLDERS) {
      const detail = `The changes of at most ${MAX_FOLDERS} sessions can be watched at once. Stop watching one first.`;
      this.#channel.send(JSON.stringify({ type: "refused", detail }));
      return;
    }
    this.#watchedFolders.add(session);
    this.#folderWatches.watch(session, this.#channel);
  }

  leaveChanges(session: string): void {
    if (this.#watchedFolders.delete(session)) this.#folderWatches.leave(session, this.#channel);
  }

  /** Ends the subscription to a session that was deleted. */
  onSessionDeleted(id: string): void {
    if (!this.#subscriptions.has(id)) return;
    this.leave(id);
    this.#channel.send(JSON.stringify({ type: "gone", session: id }));
  }

  acknowledge(received: number): void {
    this.#channel.acknowledge(received);
  }

  onDrained(): void {
    this.#channel.onDrained();
  }

  close(): void {
    this.#channel.close();
    this.leaveBoard();
    for (const id of this.#subscriptions.keys()) this.leave(id);
    for (const id of this.#watchedTerminals) this.leaveTerminal(id);
    for (const id of this.#watchedFolders) this.leaveChanges(id);
    this.#onClose();
  }
}
