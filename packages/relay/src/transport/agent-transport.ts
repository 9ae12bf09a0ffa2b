import { CLOSED_TOO_BIG } from "@signalbox/api";
import { type CloseReason, deferred, type HostAnswer, SignalboxError } from "@signalbox/protocol";
import { type Capabilities, type Run, type RunEnd, runEnd } from "@signalbox/host";
import { type RelayMemory } from "@signalbox/host/plain-lines";
import { stopsTasks } from "@signalbox/host/agents";
import { DialSpeech, type Counted } from "./numbered-protocol.ts";
import { Inbox } from "./line-queue.ts";
import { PlainSpeech } from "./plain-protocol.ts";
import type { Speech, Wire } from "./dial-protocol.ts";

/** A close is not an exit: Claude Code hangs up now and then, and comes back. */
export const GRACE_MS = 15_000;
/** How long `dial` may take to end its agent: its own ladder has three steps of 5 s. */
const LADDER_MS = 20_000;
/** A socket cannot be made to wait: who sends so much more than is read is cut off, and comes back. */
const UNREAD = 256 * 1024 * 1024;

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
  answers(): Promise<boolean>;
}

export interface WireOptions {
  /** Of `dial`: the same over all connections of one process. */
  readonly life?: string;
  readonly graceMs?: number;
  /** It was there before this hub was, and is expected back. */
  readonly before?: {
    /** Undefined: its run had not begun. */
    readonly initialized?: HostAnswer<"initialize">;
    readonly remembered: RelayMemory;
    readonly counted: Counted;
    readonly waitsFor: readonly string[];
  };
  /** Initialized already, by whoever accepted it. */
  readonly initialized?: HostAnswer<"initialize">;
  /** It is another relay's: that one is its host. */
  readonly hostedElsewhere?: boolean;
  readonly onLost: () => void;
  /** So many of its lines, which a hub had acknowledged, are nowhere any more. */
  readonly onMissed: (lines: number) => void;
  /** It was hung up on: it said more at once than any line may have. */
  readonly onTooBig: () => void;
  /** Connected, away or over. */
  readonly onChange: () => void;
}

/** One life of an agent that dials in, over all its sockets: for a run's host, one unbroken transport. */
export class AgentWire implements Wire {
  readonly life: string | undefined;
  readonly #options: WireOptions;
  readonly #graceMs: number;
  readonly #speech: Speech;
  readonly #inbox = new Inbox();
  readonly #closed = deferred<RunEnd>();
  readonly #attached = deferred<void>();
  readonly #writtenDown = deferred<void>();
  #socket: AgentSocket | undefined;
  #since = Date.now();
  #over = false;
  #hungUp: { readonly clean: boolean } = { clean: false };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WireOptions) {
    this.#options = options;
    this.life = options.life;
    this.#graceMs = options.graceMs ?? GRACE_MS;
    this.#speech =
      options.life === undefined
        ? new PlainSpeech(this, options.before?.remembered)
        : new DialSpeech(this, options.before?.counted);
  }

  get isOver(): boolean {
    return this.#over;
  }
  get isConnected(): boolean {
    return this.#socket !== undefined;
  }
  /** Since when it is connected, or away. */
  get since(): number {
    return this.#since;
  }
  get closed(): Promise<RunEnd> {
    return this.#closed.promise;
  }

  /** Its run is over, and everybody can know. */
  get writtenDown(): Promise<void> {
    return this.#writtenDown.promise;
  }

  /** Whether a connection belongs to this life. An agent that has spoken says with what it ended. */
  isSame(life: string | undefined, lastSaid: string | null): boolean {
    if (life !== undefined || this.life !== undefined) return life === this.life;
    if (lastSaid === null) return false;
    // What it said while it was away is not known here; but then nobody else is connected.
    return !this.isConnected || this.isKnown(lastSaid);
  }

  /** Whether it has said this. */
  isKnown(uuid: string): boolean {
    return this.#speech instanceof PlainSpeech && this.#speech.knows(uuid);
  }

  /** Whether whoever is connected is still there. */
  async isHeld(): Promise<boolean> {
    return (await this.#socket?.answers()) ?? false;
  }

  attach(socket: AgentSocket, lastSaid: string | null = null): void {
    const again = this.#options.before !== undefined || this.#wasThere;
    this.#wasThere = true;
    const replaced = this.#socket;
    this.#socket = socket;
    this.#since = Date.now();
    clearTimeout(this.#timer);
    replaced?.close(4409, "The agent has connected anew.");
    this.#speech.attached(again, lastSaid);
    this.#attached.resolve();
    this.#options.onChange();
  }
  #wasThere = false;

  receive(socket: AgentSocket, text: string): void {
    if (socket !== this.#socket) return; // a replaced one: nothing of it counts
    this.#speech.received(text);
  }

  /** A socket is gone; that of a replaced one touches nothing. */
  detach(socket: AgentSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#hungUp = { clean: isClean(code) };
    if (code === CLOSED_TOO_BIG) this.#options.onTooBig();
    this.#since = Date.now();
    this.#speech.detached();
    // `dial` comes back however long it takes, and says itself when its agent is over.
    if (!this.#over && this.life === undefined) this.#startGrace();
    this.#options.onChange();
  }

  #startGrace(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#socket) return;
      this.end(
        this.#hungUp.clean ? runEnd("clean", {}) : runEnd("left", { waitedMs: this.#graceMs }),
      );
    }, this.#graceMs);
  }

  stored(count: number): void {
    this.#speech.stored(count);
  }

  /** Resolves with a run once the agent is there, and, if it was before, has said what it waits for. */
  async begin(): Promise<Run> {
    const { before, initialized, hostedElsewhere = false } = this.#options;
    const gone = this.closed.then((reason): never => {
      throw new SignalboxError("LAUNCH_FAILED", { reason });
    });
    await Promise.race([this.#attached.promise, gone]);
    const told = await Promise.race([this.#speech.ready, gone]);
    const known = before?.initialized ?? initialized;
    const version = told.version ?? "unknown";
    const close = () => this.close();
    return {
      driver: "relay",
      capabilities: { ...capabilities, stopTasks: stopsTasks(version) },
      agent: { path: told.path ?? "", version, versionClass: "untested" },
      unsupportedOptions: [],
      folder: told.folder ?? "",
      ...(known && { initialized: known }),
      ...(before?.initialized && { continues: true, waitsFor: before.waitsFor }),
      hostedElsewhere,
      stderr: "",
      incoming: this.#inbox,
      closed: this.closed,
      send: (line) => this.#send(line),
      close,
      [Symbol.asyncDispose]: close,
    };
  }

  async #send(line: string): Promise<void> {
    if (this.#over) {
      const reason: CloseReason = await this.closed;
      throw new SignalboxError("CONNECTION_CLOSED", { reason });
    }
    this.#speech.send(line);
  }

  async close(): Promise<void> {
    if (this.#over) return;
    const hangUp = () => this.end(runEnd("stopped", { how: "its connection was closed" }));
    if (!this.#socket || !this.#speech.stop()) hangUp();
    else setTimeout(hangUp, LADDER_MS).unref();
    await this.closed;
  }

  /* What its speech asks for */

  put(text: string): void {
    this.#socket?.send(text);
  }

  deliver(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#inbox.push(lines);
    if (this.#inbox.characters > UNREAD) this.drop(1013, "Too much at once: come again.");
  }

  lost(): void {
    this.#options.onLost();
  }

  missed(lines: number): void {
    this.#options.onMissed(lines);
  }

  end(end: RunEnd): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#inbox.end();
    this.#closed.resolve(end);
    this.#options.onChange();
  }

  /** The run is over and written down: nothing more is wanted of the agent. */
  hangUp(): void {
    this.#socket?.close(1000, "The run is over.");
    this.#writtenDown.resolve();
  }

  /** Its socket goes on for another session; this run is over. */
  release(end: RunEnd): void {
    this.#socket = undefined;
    this.end(end);
  }

  /** The hub is stopping: the agent may come back to the next. */
  leave(): void {
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

/** A program that leaves says goodbye; one that dies, or whose line breaks, does not. */
function isClean(code: number): boolean {
  return code === 1000 || code === 1005;
}
