import { CLOSED_TOO_BIG } from "@signalbox/api/constants";
import { type CloseReason, SignalboxError } from "@signalbox/protocol";
import type { HostAnswer } from "@signalbox/protocol/control";
import { deferred } from "@signalbox/protocol/wire";
import type { Capabilities, Run, RunEnd } from "@signalbox/host";
import { createRunEnd } from "@signalbox/host/launch";
import type { RelayMemory } from "@signalbox/host/plain-lines";
import { stopsTasks } from "@signalbox/host/agents";
import { NumberedProtocol, type StoredProgress } from "./numbered-protocol.ts";
import { AgentLineQueue } from "./line-queue.ts";
import { PlainProtocol } from "./plain-protocol.ts";
import type { DialProtocol, DialProtocolOutput } from "./dial-protocol.ts";

/** A closed connection is not the end: Claude Code disconnects now and then, and reconnects. */
export const GRACE_MS = 15_000;
/** How long `dial` may take to end its agent, which it tries in three ways for 5 s each. */
const STOP_TIMEOUT_MS = 20_000;
/** A socket cannot be made to wait: an agent that sends this much more than is read is disconnected, and reconnects. */
const MAX_UNREAD_CHARACTERS = 256 * 1024 * 1024;

export const capabilities: Capabilities = {
  streaming: true,
  permissions: true,
  resume: false,
  fork: false,
  images: true,
  subagents: true,
  rewind: false,
  steering: true,
  stopTasks: true,
};

export interface AgentSocket {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Settles with whether the other side answers a ping soon. */
  respondsToPing(): Promise<boolean>;
}

export interface AgentTransportOptions {
  /** For `dial`: the same over all connections of one agent process. */
  readonly life?: string;
  readonly graceMs?: number;
  /** The agent was connected to an earlier process of the hub, and has reconnected. */
  readonly previous?: {
    /** Undefined: its run had not started. */
    readonly initialized?: HostAnswer<"initialize">;
    readonly remembered: RelayMemory;
    readonly counted: StoredProgress;
    readonly pendingRequests: readonly string[];
  };
  /** The agent was already initialized by the host that accepted it. */
  readonly initialized?: HostAnswer<"initialize">;
  /** The agent is connected to a foreign relay, which is its host. */
  readonly hasOtherHost?: boolean;
  readonly onLost: () => void;
  /** This many of its lines, which a hub had acknowledged, are lost. */
  readonly onLinesMissing: (lines: number) => void;
  /** The agent was disconnected because it sent a frame larger than any line may be. */
  readonly onTooLarge: () => void;
  /** Connected, away or over. */
  readonly onChange: () => void;
}

/**
 * One life of an agent that dials in, over all its sockets. For the host of its run it is one
 * uninterrupted transport.
 */
export class AgentTransport implements DialProtocolOutput {
  readonly life: string | undefined;
  readonly #options: AgentTransportOptions;
  readonly #graceMs: number;
  readonly #protocol: DialProtocol;
  readonly #lineQueue = new AgentLineQueue();
  readonly #closed = deferred<RunEnd>();
  readonly #attached = deferred<void>();
  readonly #recorded = deferred<void>();
  #socket: AgentSocket | undefined;
  #since = Date.now();
  #isOver = false;
  #lastClose: { readonly clean: boolean } = { clean: false };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: AgentTransportOptions) {
    this.#options = options;
    this.life = options.life;
    this.#graceMs = options.graceMs ?? GRACE_MS;
    this.#protocol =
      options.life === undefined
        ? new PlainProtocol(this, options.previous?.remembered)
        : new NumberedProtocol(this, options.previous?.counted);
  }

  get isOver(): boolean {
    return this.#isOver;
  }
  get isConnected(): boolean {
    return this.#socket !== undefined;
  }
  /** The time since which it is connected, or away. */
  get since(): number {
    return this.#since;
  }
  get closed(): Promise<RunEnd> {
    return this.#closed.promise;
  }

  /** Settles when its run has ended and the end is stored. */
  get recorded(): Promise<void> {
    return this.#recorded.promise;
  }

  /**
   * Whether a connection belongs to this life. An agent that has sent messages names the last of
   * them.
   */
  belongsTo(life: string | undefined, lastMessageId: string | null): boolean {
    if (life !== undefined || this.life !== undefined) return life === this.life;
    if (lastMessageId === null) return false;
    // Messages that it sent while it was away are not known here, but then no other agent is
    // connected.
    return !this.isConnected || this.hasSent(lastMessageId);
  }

  /** Whether the agent has sent this message. */
  hasSent(uuid: string): boolean {
    return this.#protocol instanceof PlainProtocol && this.#protocol.knows(uuid);
  }

  /** Whether the connected agent still answers a ping. */
  async isResponsive(): Promise<boolean> {
    return (await this.#socket?.respondsToPing()) ?? false;
  }

  attach(socket: AgentSocket, lastMessageId: string | null = null): void {
    const again = this.#options.previous !== undefined || this.#wasAttached;
    this.#wasAttached = true;
    const replaced = this.#socket;
    this.#socket = socket;
    this.#since = Date.now();
    clearTimeout(this.#timer);
    replaced?.close(4409, "The agent has connected again.");
    this.#protocol.attached(again, lastMessageId);
    this.#attached.resolve();
    this.#options.onChange();
  }
  #wasAttached = false;

  receive(socket: AgentSocket, text: string): void {
    if (socket !== this.#socket) return; // a replaced one: nothing of it counts
    this.#protocol.received(text);
  }

  /** A socket has closed. That of a replaced connection has no effect. */
  detach(socket: AgentSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#lastClose = { clean: isClean(code) };
    if (code === CLOSED_TOO_BIG) this.#options.onTooLarge();
    this.#since = Date.now();
    this.#protocol.detached();
    // `dial` may take any time to reconnect, and reports itself when its agent has ended.
    if (!this.#isOver && this.life === undefined) this.#startGrace();
    this.#options.onChange();
  }

  #startGrace(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#socket) return;
      this.end(
        this.#lastClose.clean
          ? createRunEnd("clean", {})
          : createRunEnd("left", { waitedMs: this.#graceMs }),
      );
    }, this.#graceMs);
  }

  stored(count: number): void {
    this.#protocol.stored(count);
  }

  /**
   * Resolves with a run once the agent is connected and, if it was before, has named the requests
   * that wait for answers.
   */
  async startRun(): Promise<Run> {
    const { previous: before, initialized, hasOtherHost = false } = this.#options;
    const disconnected = this.closed.then((reason): never => {
      throw new SignalboxError("LAUNCH_FAILED", { reason });
    });
    await Promise.race([this.#attached.promise, disconnected]);
    const introduction = await Promise.race([this.#protocol.ready, disconnected]);
    const known = before?.initialized ?? initialized;
    const version = introduction.version ?? "unknown";
    const close = () => this.close();
    return {
      driver: "relay",
      capabilities: { ...capabilities, stopTasks: stopsTasks(version) },
      agent: { path: introduction.path ?? "", version, versionClass: "untested" },
      unsupportedOptions: [],
      folder: introduction.folder ?? "",
      ...(known && { initialized: known }),
      ...(before?.initialized && { continues: true, pendingRequests: before.pendingRequests }),
      hasOtherHost,
      stderr: "",
      incoming: this.#lineQueue,
      closed: this.closed,
      send: (line) => this.#send(line),
      close,
      [Symbol.asyncDispose]: close,
    };
  }

  async #send(line: string): Promise<void> {
    if (this.#isOver) {
      const reason: CloseReason = await this.closed;
      throw new SignalboxError("CONNECTION_CLOSED", { reason });
    }
    this.#protocol.send(line);
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    const hangUp = () => this.end(createRunEnd("stopped", { how: "its connection was closed" }));
    if (!this.#socket || !this.#protocol.stop()) hangUp();
    else setTimeout(hangUp, STOP_TIMEOUT_MS).unref();
    await this.closed;
  }

  /* What its protocol asks for */

  put(text: string): void {
    this.#socket?.send(text);
  }

  deliver(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#lineQueue.push(lines);
    if (this.#lineQueue.characters > MAX_UNREAD_CHARACTERS)
      this.drop(1013, "Too much data at once. Connect again.");
  }

  lost(): void {
    this.#options.onLost();
  }

  missed(lines: number): void {
    this.#options.onLinesMissing(lines);
  }

  end(end: RunEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#lineQueue.end();
    this.#closed.resolve(end);
    this.#options.onChange();
  }

  /** The run has ended and is stored, and nothing more is expected from the agent. */
  hangUp(): void {
    this.#socket?.close(1000, "The run is over.");
    this.#recorded.resolve();
  }

  /** The socket continues with another session; this run has ended. */
  release(end: RunEnd): void {
    this.#socket = undefined;
    this.end(end);
  }

  /** The hub is stopping, and the agent may connect to the next process. */
  detachForShutdown(): void {
    clearTimeout(this.#timer);
    this.#socket?.close(1001, "The hub is stopping.");
    this.#socket = undefined;
  }

  drop(code: number, why: string): void {
    const socket = this.#socket;
    if (!socket) return;
    this.detach(socket, code);
    socket.close(code, why);
  }
}

/**
 * A program that ends closes its socket with a code. One that crashes or loses its network does
 * not.
 */
function isClean(code: number): boolean {
  return code === 1000 || code === 1005;
}
