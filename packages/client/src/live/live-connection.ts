import type { DraftView, HubFrame } from "@signalbox/api";
import type { BoardFrame, Frame, TextFrame } from "../contract.ts";
import { ChangeNotifier, type FrameScheduler } from "../view/change-notifier.ts";
import type { BoardView } from "../view/board-view.ts";
import { type BoardCopy, boardFrame, type SessionCopy, sessionFrame } from "../view/copies.ts";
import type { SessionView } from "../view/session-view.ts";
import { Acknowledger } from "./acknowledger.ts";
import { HubSocket, type HubSocketOptions } from "./hub-socket.ts";
import type { ConnectionState } from "./state.ts";
import {
  type TerminalFrame,
  type TerminalViewer,
  type TerminalWatch,
  WatchedTerminal,
} from "./watched-terminal.ts";
import { type SessionReader, type Watch, WatchedBoard, WatchedSession } from "./watch.ts";

interface LiveOptions extends HubSocketOptions {
  readonly schedule: FrameScheduler;
  readonly reader: SessionReader;
  /** The device's signature of a text; undefined for a program that cannot sign. */
  readonly sign: (text: string) => Promise<string | undefined>;
  /**
   * Called at once when the connection is lost, before anything else is tried; `onState` is called
   * later.
   */
  readonly onLost: () => void;
}

/** Called when files of a session's folder have changed. `paths`: only these files, from the folder. */
export type ChangesListener = (paths: readonly string[] | undefined) => void;

/** A watched session. `loadOlder` resolves to whether there are still older items. */
export interface SessionWatch extends Watch<SessionView> {
  loadOlder(limit?: number): Promise<boolean>;
}

const BOARD = Symbol("the board");

/**
 * The live data of the hub over one connection: the watched views and the state of the connection.
 */
export class LiveConnection {
  readonly #options: LiveOptions;
  readonly #socket: HubSocket;
  readonly #stateChanges: ChangeNotifier;
  readonly #acknowledger: Acknowledger;
  readonly #sessions = new Map<string, WatchedSession>();
  readonly #terminals = new Map<string, Set<WatchedTerminal>>();
  #board: WatchedBoard | undefined;
  /** The views that have not caught up yet: sessions by id, and the board. */
  readonly #behind = new Set<string | typeof BOARD>();
  readonly #changeListeners = new Map<string, Set<ChangesListener>>();
  readonly #draftListeners = new Set<(draft: DraftView) => void>();
  #state: ConnectionState = { kind: "closed" };
  #welcome: Frame<"welcome"> | undefined;
  #clockAheadMs = 0;
  /** The live text that came last on this connection. */
  #lastText: TextFrame | undefined;
  /** The elevations as the hub last sent them. */
  #elevations: Frame<"elevations"> = { type: "elevations", elevations: [] };

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#stateChanges = new ChangeNotifier(options.schedule);
    this.#acknowledger = new Acknowledger(options.schedule, (received) => {
      this.#socket.send({ type: "ack", received });
    });
    this.#socket = new HubSocket(options, {
      onDialing: () => this.#onDialing(),
      onFrame: (frame, length) => this.#receive(frame, length),
      onUnresponsive: () => {
        if (this.#state.kind !== "unresponsive")
          this.#setState({ kind: "unresponsive", since: Date.now() });
      },
      onLost: (why, retryInMs) => this.#onConnectionLost(why, retryInMs),
      onRefused: (why) => this.#setState({ kind: "refused", why }),
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The device and the hub according to the last welcome. */
  get welcome(): Frame<"welcome"> | undefined {
    return this.#welcome;
  }

  /** How far the hub's clock is ahead of this machine's, according to the last welcome. */
  get clockAheadMs(): number {
    return this.#clockAheadMs;
  }

  /** Calls the listener when the state has changed. */
  onState(listener: () => void): () => void {
    return this.#stateChanges.subscribe(listener);
  }

  /** Calls the listener with each message that is being written when it was saved, here or elsewhere. */
  onDraft(listener: (draft: DraftView) => void): () => void {
    this.#draftListeners.add(listener);
    return () => void this.#draftListeners.delete(listener);
  }

  /** Connects now, also while waiting for the next attempt. */
  connect(): void {
    this.#socket.dial();
  }

  /** Connects without waiting for the next attempt, because the network is back. */
  retry(): void {
    if (this.#state.kind === "offline") this.#socket.dial();
  }

  close(): void {
    this.#socket.close();
    this.#acknowledger.restart();
    this.#setState({ kind: "closed" });
  }

  watchBoard(copy?: BoardCopy): Watch<BoardView> {
    const board = (this.#board ??= new WatchedBoard(this.#options.schedule));
    if (board.watchers === 0) {
      if (copy) board.view.begin(boardFrame(copy));
      board.view.apply(this.#elevations);
      this.#begin(BOARD);
    }
    return board.watch(() => {
      this.#board = undefined;
      this.#end(BOARD);
    });
  }

  watchSession(id: string, copy?: SessionCopy): SessionWatch {
    const known = this.#sessions.get(id);
    const session = known ?? new WatchedSession(id, this.#options.reader, this.#options.schedule);
    if (!known) {
      if (copy) session.apply(sessionFrame(id, copy));
      this.#sessions.set(id, session);
      this.#begin(id);
    }
    const watch = session.watch(() => {
      this.#sessions.delete(id);
      this.#end(id);
    });
    // Not spread, because `version` is a getter.
    return Object.assign(watch, { loadOlder: (limit?: number) => session.loadOlder(limit) });
  }

  /** Follows a terminal. Every viewer gets a snapshot first, and another when it has missed something. */
  watchTerminal(terminal: string, runner: string, viewer: TerminalViewer): TerminalWatch {
    const watched = new WatchedTerminal({
      terminal,
      runner,
      viewer,
      sign: this.#options.sign,
      send: (frame) => this.#socket.send(frame),
    });
    const all = this.#terminals.get(terminal) ?? new Set();
    this.#terminals.set(terminal, all.add(watched));
    if (this.#state.kind === "closed") this.#socket.dial();
    else if (this.isLinked) watched.request();
    const close = () => {
      if (!all.delete(watched) || all.size > 0) return;
      this.#terminals.delete(terminal);
      this.#socket.send({ type: "terminal-leave", terminal });
    };
    return {
      type: (data) => watched.type(data),
      resize: (size) => this.#socket.send({ type: "terminal-resize", terminal, ...size }),
      close,
      [Symbol.dispose]: close,
    };
  }

  /** Calls the listener when files of a session's folder have changed, or may have while it was offline. */
  watchChanges(session: string, listener: ChangesListener): () => void {
    const all = this.#changeListeners.get(session) ?? new Set();
    if (all.size === 0 && this.isLinked) this.#socket.send({ type: "changes-watch", session });
    this.#changeListeners.set(session, all.add(listener));
    if (this.#state.kind === "closed") this.#socket.dial();
    return () => {
      if (!all.delete(listener) || all.size > 0) return;
      this.#changeListeners.delete(session);
      this.#socket.send({ type: "changes-leave", session });
    };
  }

  #begin(watched: string | typeof BOARD): void {
    if (this.#state.kind === "closed") this.#socket.dial();
    else if (this.isLinked) {
      this.#subscribe(watched);
      this.#updateLinkedState();
    }
  }

  #end(watched: string | typeof BOARD): void {
    this.#socket.send(
      watched === BOARD ? { type: "leave-board" } : { type: "leave", session: watched },
    );
    if (this.#behind.delete(watched)) this.#updateLinkedState();
  }

  #subscribe(watched: string | typeof BOARD): void {
    this.#behind.add(watched);
    if (watched === BOARD) {
      this.#socket.send({ type: "watch-board", patches: true });
    } else {
      this.#socket.send({
        type: "watch",
        session: watched,
        short: true,
        ...this.#sessions.get(watched)?.view.cursor,
      });
    }
  }

  #onDialing(): void {
    if (this.#state.kind !== "offline") return this.#setState({ kind: "connecting" });
    const { retryAt: _, ...offline } = this.#state;
    return this.#setState(offline);
  }

  #onConnectionLost(why: string, retryInMs: number): void {
    this.#options.onLost();
    const now = Date.now();
    const since = "since" in this.#state ? this.#state.since : now;
    this.#setState({ kind: "offline", since, why, retryAt: now + retryInMs });
  }

  #receive(frame: HubFrame, length: number): void {
    if (this.#state.kind === "unresponsive") this.#setState({ kind: this.#linkedKind });
    switch (frame.type) {
      case "welcome":
        this.#onWelcome(frame);
        break;
      case "board":
        this.#notifyBoard(frame);
        this.#onCaughtUp(BOARD);
        break;
      case "elevations":
        this.#elevations = frame;
        this.#notifyBoard(frame);
        break;
      case "draft":
        for (const listener of this.#draftListeners) listener(frame.draft);
        break;
      case "items":
        this.#sessions.get(frame.session)?.apply(frame);
        if (!frame.more) this.#onCaughtUp(frame.session);
        break;
      case "text":
        this.#receiveText(frame);
        break;
      case "more":
        if (this.#lastText) this.#receiveText(continueText(this.#lastText, frame.text));
        break;
      case "gone":
        this.#sessions.get(frame.session)?.apply(frame);
        this.#onCaughtUp(frame.session);
        break;
      case "changes":
        this.#notifyChanges(frame.session, frame.paths);
        break;
      case "terminal-snapshot":
      case "terminal-output":
      case "terminal-size":
      case "terminal-gone":
        void this.#notifyTerminal(frame).then(() => this.#acknowledger.count(length));
        return;
      case "beat":
      case "pong":
        // An acknowledgement waits for a frame to be drawn, which a page at rest does not do.
        this.#acknowledger.countHeartbeat(length);
        return;
      default: // This is a frame of a newer hub.
    }
    this.#acknowledger.count(length);
  }

  #notifyChanges(session: string, paths: readonly string[] | undefined): void {
    for (const listener of this.#changeListeners.get(session) ?? []) listener(paths);
  }

  #receiveText(piece: TextFrame): void {
    this.#lastText = piece;
    this.#sessions.get(piece.session)?.apply(piece);
  }

  /** Settles when all viewers have drawn it. */
  async #notifyTerminal(frame: TerminalFrame): Promise<void> {
    const viewers = [...(this.#terminals.get(frame.terminal) ?? [])];
    await Promise.allSettled(viewers.map(async (viewer) => viewer.apply(frame)));
  }

  #notifyBoard(frame: BoardFrame | Frame<"elevations">): void {
    this.#board?.view.apply(frame);
    this.#board?.changes.notify();
  }

  #onWelcome(frame: Frame<"welcome">): void {
    this.#welcome = frame;
    this.#lastText = undefined;
    if (frame.now !== undefined) this.#clockAheadMs = frame.now - Date.now();
    this.#acknowledger.restart();
    this.#behind.clear();
    if (this.#board) this.#subscribe(BOARD);
    for (const [id, { view }] of this.#sessions) {
      view.reconnect();
      this.#subscribe(id);
    }
    for (const viewers of this.#terminals.values()) for (const viewer of viewers) viewer.request();
    for (const session of this.#changeListeners.keys()) {
      this.#socket.send({ type: "changes-watch", session });
      this.#notifyChanges(session, undefined);
    }
    this.#setState({ kind: this.#linkedKind });
  }

  #onCaughtUp(watched: string | typeof BOARD): void {
    if (this.#behind.delete(watched)) this.#updateLinkedState();
  }

  get isLinked(): boolean {
    const { kind } = this.#state;
    return kind === "live" || kind === "catching-up" || kind === "unresponsive";
  }

  get #linkedKind(): "catching-up" | "live" {
    return this.#behind.size > 0 ? "catching-up" : "live";
  }

  /** Updates the state of an open connection: live, or still catching up. Only a frame ends that the hub is unresponsive. */
  #updateLinkedState(): void {
    if (!this.isLinked || this.#state.kind === "unresponsive") return;
    const kind = this.#linkedKind;
    if (kind !== this.#state.kind) this.#setState({ kind });
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#stateChanges.notify();
  }
}

/** The text that comes after another one. */
function continueText({ at, text: before, ...place }: TextFrame, text: string): TextFrame {
  return { ...place, at: at + before.length, text };
}
