import type { DraftView } from "@signalbox/api";
import { isSigned, streamProofText } from "@signalbox/api/proof";
import { Caller, type Credentials, type Fetch } from "./http/caller.ts";
import { Calls } from "./http/calls.ts";
import type { DeviceCredential } from "./http/device-key.ts";
import { HubError } from "./http/hub-error.ts";
import type { WebSocketConstructor } from "./live/hub-socket.ts";
import { type ChangesListener, LiveConnection, type SessionWatch } from "./live/live-connection.ts";
import type { TerminalViewer, TerminalWatch } from "./live/watched-terminal.ts";
import { type ConnectionState, type ConnectionTiming, defaultTiming } from "./live/state.ts";
import type { Watch } from "./live/watch.ts";
import { Outbox } from "./outbox/outbox.ts";
import { createMemoryStorage, type OutboxStorage } from "./outbox/storage.ts";
import { scheduleNextFrame, type FrameScheduler } from "./view/change-notifier.ts";
import type { BoardView } from "./view/board-view.ts";
import type { BoardCopy, SessionCopy } from "./view/copies.ts";

export interface ConnectOptions {
  /**
   * The address of the hub, such as `http://127.0.0.1:8765`, or a function that returns it, for a
   * hub that may move. It is called after the credentials are read, because reading them may look
   * for the hub first.
   */
  readonly url: string | (() => string);
  /**
   * The key of a paired device, the bearer token of a program that cannot sign, or a function that
   * reads either.
   */
  readonly device?: DeviceCredential;
  readonly token?: string;
  readonly credentials?: Credentials;
  readonly fetch?: Fetch;
  /** Needed on Node before 22, which has no WebSocket of its own. */
  readonly WebSocket?: WebSocketConstructor;
  /**
   * When changes are announced; by default before the next frame of the screen, if there is one.
   */
  readonly schedule?: FrameScheduler;
  /** Where unsent messages are stored; in memory by default. */
  readonly outbox?: OutboxStorage;
  readonly timing?: Partial<ConnectionTiming>;
  /**
   * Whether a person sees the program, by default always. While it returns true the hub is asked every few
   * seconds whether it still responds, and the state becomes `unresponsive` when it does not.
   */
  readonly isVisible?: () => boolean;
  /** How often a call is tried if its answer is lost. */
  readonly tries?: number;
  readonly random?: () => number;
}

const ANSWER_MS = 60_000;
const TRIES = 5;
/** A waiting message has already been tried several times. */
const OUTBOX_RETRY = 6;

/**
 * A program's connection to the hub: calls, live views, and messages that are delivered reliably.
 */
export class HubClient extends Calls implements Disposable {
  /** Messages that survive a lost connection. */
  readonly outbox: Outbox;
  readonly #url: () => string;
  readonly #live: LiveConnection;
  readonly #online: () => void;

  constructor(options: ConnectOptions) {
    const { url: place, device, token, fetch = globalThis.fetch, random = Math.random } = options;
    const url = typeof place === "string" ? () => place : place;
    const given = device ?? (token === undefined ? undefined : { token });
    const credentials = options.credentials ?? { get: () => given };
    const schedule = options.schedule ?? scheduleNextFrame;
    const timing = { ...defaultTiming, ...options.timing };
    const backoff = { firstMs: timing.firstRetryMs, maxMs: timing.maxRetryMs };
    const tries = options.tries ?? TRIES;
    // A browser's own `fetch` must be called as a function of the window.
    const call: Fetch = (address, init) => fetch(address, init);
    let isLive = () => false;
    const caller = new Caller({
      url,
      credentials,
      fetch: call,
      tries,
      backoff,
      answerMs: ANSWER_MS,
      isLive: () => isLive(),
    });
    super(caller);
    this.#url = url;
    const ticket = () => this.ticket();
    const WebSocket = options.WebSocket ?? globalThis.WebSocket ?? noWebSocket;
    const isHub = async (opened: string, proof: string | undefined) => {
      const credential = await credentials.get();
      if (!credential || "token" in credential) return true; // A token is not bound to the key of a hub.
      const text = streamProofText(opened, new URL(url()).host);
      return isSigned(credential.hub.key, text, proof);
    };
    const onLost = () => caller.forgetProof();
    const sign = (text: string) => caller.sign(text);
    const live = {
      url,
      WebSocket,
      ticket,
      isHub,
      timing,
      random,
      schedule,
      reader: this,
      onLost,
      sign,
      isVisible: options.isVisible ?? (() => true),
    };
    this.#live = new LiveConnection(live);
    isLive = () => this.#live.isLinked;
    this.outbox = new Outbox({
      storage: options.outbox ?? createMemoryStorage(),
      schedule,
      send: (session, prompt, call) => this.send(session, prompt, call),
      withdraw: (session, id) => this.#withdraw(session, id),
      backoff: { firstMs: OUTBOX_RETRY * backoff.firstMs, maxMs: OUTBOX_RETRY * backoff.maxMs },
    });
    this.#live.onState(() => {
      if (this.state.kind === "live") this.outbox.flush().catch(() => {});
    });
    this.#online = () => this.#live.retry();
    globalThis.addEventListener?.("online", this.#online);
  }

  /**
   * Withdraws a message from the hub's queue. Resolves to true if the agent does not have it and
   * will not get it.
   */
  async #withdraw(session: string, id: string): Promise<boolean> {
    try {
      await this.withdrawPrompt(session, id);
      return true;
    } catch (failure) {
      if (HubError.is(failure, "already-sent")) return false;
      if (!HubError.is(failure) || failure.status !== 404) throw failure;
    }
    // The message no longer waits: the agent has taken it, or it never arrived.
    return this.item(session, id).then(
      () => false,
      (failure: unknown) => {
        if (HubError.is(failure) && failure.status === 404) return true;
        throw failure;
      },
    );
  }

  /** The address of the hub. */
  get url(): string {
    return this.#url();
  }

  get state(): ConnectionState {
    return this.#live.state;
  }

  /** Calls the listener when the state has changed. Returns a function that unsubscribes. */
  onState(listener: () => void): () => void {
    return this.#live.onState(listener);
  }

  /** Calls the listener with each message that is being written when it was saved, here or elsewhere. */
  onDraft(listener: (draft: DraftView) => void): () => void {
    return this.#live.onDraft(listener);
  }

  /** The hub's welcome: the device as the hub knows it, and the newest head of the audit chain. */
  get welcome(): LiveConnection["welcome"] {
    return this.#live.welcome;
  }

  /**
   * How far the hub's clock is ahead of this machine's. All times from the hub are by its own
   * clock.
   */
  get clockAheadMs(): number {
    return this.#live.clockAheadMs;
  }

  /**
   * Opens the live link, as the first watch does too. If the link is waiting to retry, it retries
   * at once.
   */
  goLive(): void {
    this.#live.connect();
  }

  /**
   * Follows a terminal and types into it. `runner` is that of the terminal's session: it checks that an
   * approver's device signed what is typed.
   */
  watchTerminal(terminal: string, runner: string, viewer: TerminalViewer): TerminalWatch {
    return this.#live.watchTerminal(terminal, runner, viewer);
  }

  /** Calls the listener when files of a session's folder have changed, or may have while it was offline. */
  watchChanges(session: string, listener: ChangesListener): () => void {
    return this.#live.watchChanges(session, listener);
  }

  /** Watches the board. `copy` is a stored copy, shown until the hub has sent the current state. */
  watchBoard(copy?: BoardCopy): Watch<BoardView> {
    return this.#live.watchBoard(copy);
  }

  /** Watches a session. With a stored copy the hub sends only what has changed since. */
  watchSession(id: string, copy?: SessionCopy): SessionWatch {
    return this.#live.watchSession(id, copy);
  }

  /** Closes the live link. Messages in the outbox stay in its storage. */
  close(): void {
    globalThis.removeEventListener?.("online", this.#online);
    this.#live.close();
    this.outbox.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

export function connect(options: ConnectOptions): HubClient {
  return new HubClient(options);
}

const noWebSocket = function () {
  const detail = "This runtime has no WebSocket: give one to `connect`.";
  throw new HubError({ code: "no-websocket", status: 0, detail });
} as unknown as WebSocketConstructor;
