import { deferred } from "@signalbox/protocol/wire";
import { onWake, requireBun } from "@signalbox/host/system";
import type { AgentProcess } from "@signalbox/host/agents";
import { backoffDelayMs } from "@signalbox/protocol/backoff";
import { LineBuffer, type RunLog } from "../link/line-buffer.ts";
import type { BufferLimits } from "../link/session-buffer.ts";
import { removeKeepAlive } from "../supervise/keep-alive.ts";
import { type CloseInfo, DialConnection } from "./dial-connection.ts";
import {
  DIAL_VERSION,
  dialFrame,
  type FromHub,
  createStoredFrame,
  type StoredFrame,
  LIFE_HEADER,
  type DialFrameToHub,
} from "./frames.ts";
import { DeliveredPrompts } from "./delivered-prompts.ts";
import { addressHash, writeLifeNote } from "./life-note.ts";
import { Numbering } from "./numbering.ts";
import { PlainExchange } from "./plain-exchange.ts";
import { type DialRefusal, probeRefusal } from "./refusal.ts";

const SESSION = "dial";
const FIRST_MS = 2000; // with jitter: one to two seconds
const CAP_MS = 30_000;
const JOIN_MS = 10;
const FULL_MS = 20;
/** Whoever was spoken to in plain lines and says nothing for so long speaks them. */
const SURE_AFTER_MS = 30_000;
const STDERR_TOLD = 8 * 1024;

/** What is said on the way, for a person. */
export type DialEvent =
  | { readonly kind: "connected"; readonly plain: boolean }
  | { readonly kind: "away"; readonly why: string; readonly againMs: number }
  | { readonly kind: "stopped-by-hub" }
  /** The hub does not have so many lines that a hub had acknowledged. */
  | { readonly kind: "lost"; readonly lines: number }
  /** What an agent of before had said, and the hub does not take any more. */
  | { readonly kind: "kept"; readonly file: string };

/** How it came out. */
export type DialEnd =
  | { readonly kind: "delivered" }
  | ({ readonly kind: "refused" } & DialRefusal)
  | { readonly kind: "left"; readonly undelivered: boolean };

export interface DialOptions {
  readonly url: string;
  /** The session's secret, for relays that want one. */
  readonly token?: string;
  readonly process: Pick<
    AgentProcess,
    "incoming" | "closed" | "exitStatus" | "stderr" | "send" | "close"
  >;
  /** For people: where it works and what it is. */
  readonly about: { readonly folder: string; readonly agent: object };
  /** Where lines wait that the relay has not stored. */
  readonly dataFolder: string;
  /** It is over, and this delivers what it left on the disk. */
  readonly endedLife?: { readonly life: string; readonly skipped: number };
  /** What is waited for before the first connection. */
  readonly after?: Promise<unknown>;
  readonly onEvent?: (event: DialEvent) => void;
  readonly limits?: BufferLimits;
  readonly firstMs?: number;
  readonly tickMs?: number;
  readonly plainAfterMs?: number;
}

/**
 * Carries the lines of one agent to a relay and back, over as many connections as it takes. Both ways
 * are numbered and acknowledged, so that nothing is lost or doubled; with a relay that knows nothing of
 * that, the last thousand messages are said again after each reconnect.
 */
export class Dial {
  readonly life: string;
  readonly #options: DialOptions;
  readonly #ledger: LineBuffer;
  readonly #log: RunLog;
  readonly #plain = new PlainExchange();
  readonly #numbers: Numbering;
  readonly #given = new DeliveredPrompts();
  readonly #end = deferred<DialEnd>();
  readonly #watch = onWake(() => this.#retryNow?.());
  #connection: DialConnection | undefined;
  #form: "ours" | "plain" | undefined;
  #ended: DialFrameToHub | undefined;
  #endedSaid = false;
  #received = 0;
  /** A hub of ours has answered. */
  #isOurs = false;
  /** So many of a long line are on their way. */
  #pieces = 0;
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  #leaving = false;
  #flushing: ReturnType<typeof setTimeout> | undefined;
  #retryNow: (() => void) | undefined;

  constructor(options: DialOptions) {
    requireBun("Dial");
    this.#options = options;
    const { endedLife = { life: crypto.randomUUID(), skipped: 0 } } = options;
    this.life = endedLife.life;
    this.#numbers = new Numbering(endedLife.skipped);
    this.#ledger = new LineBuffer(options.dataFolder, options.limits);
    if (options.endedLife !== undefined) this.#ledger.loadUndelivered();
    else this.#writeNote();
    this.#log = this.#ledger.open(SESSION, this.life, 0);
    this.#ledger.onLines = () => this.#flushSoon();
    void this.#read();
    void this.#keepConnected();
  }

  #writeNote(): void {
    const { dataFolder, url } = this.#options;
    const to = addressHash(url);
    writeLifeNote(dataFolder, { life: this.life, to, skipped: this.#numbers.skipped });
  }

  /** Settles when the relay has everything, or nothing more can be done. */
  get done(): Promise<DialEnd> {
    return this.#end.promise;
  }

  get isConnected(): boolean {
    return this.#form !== undefined;
  }

  /** Whether everything that was said is with the relay. */
  get isDelivered(): boolean {
    return this.#ledger.isEmpty;
  }

  /** Does not wait for the relay any longer. What was not delivered stays on the disk. */
  leave(): void {
    this.#finish({ kind: "left", undelivered: !this.isDelivered });
  }

  async #read(): Promise<void> {
    const { process } = this.#options;
    for await (const batch of process.incoming) {
      this.#log.add("agent", removeKeepAlive(batch));
      await this.#log.waitForSpace(); // nothing is read before there is: the agent waits, and nothing is lost
    }
    await process.closed;
    const { code, signal } = process.exitStatus ?? { code: null, signal: null };
    this.#ended = { subtype: "ended", code, signal, stderr: process.stderr.slice(-STDERR_TOLD) };
    this.#flushSoon();
  }

  async #keepConnected(): Promise<void> {
    await this.#options.after;
    let everOpened = false;
    for (let attempt = 0; !this.#leaving; attempt += 1) {
      const { closed, welcomed } = await this.#connect();
      this.#ledger.writeToDisk();
      if (this.#leaving) return;
      if (this.#isOver(closed, welcomed)) return this.#finish({ kind: "delivered" });
      everOpened ||= closed.opened;
      const refused = closed.opened ? undefined : await this.#refusal();
      if (refused && isFinal(refused, everOpened)) {
        return this.#finish({ kind: "refused", ...refused });
      }
      if (welcomed) attempt = 0;
      const { firstMs = FIRST_MS } = this.#options;
      const againMs = backoffDelayMs(attempt, { firstMs, maxMs: CAP_MS });
      const why = refused
        ? describeRefusal(refused)
        : closed.reason || `closed with ${closed.code}`;
      this.#options.onEvent?.({ kind: "away", why, againMs });
      await this.#pause(againMs);
    }
  }

  #refusal(): Promise<DialRefusal | undefined> {
    return probeRefusal(this.#options.url, { ...this.#headers, [LIFE_HEADER]: this.life });
  }

  /** After 1000 our hub wants nothing more; other relays close as they like. */
  #isOver({ opened, code }: CloseInfo, welcomed: "ours" | "plain" | undefined): boolean {
    if (!opened || code !== 1000) return false;
    if (welcomed === "plain") return this.#endedSaid;
    return welcomed === "ours";
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#retryNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#retryNow = undefined;
  }

  get #headers(): Record<string, string> {
    const { token } = this.#options;
    const { lastUuid } = this.#plain;
    return {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(lastUuid !== undefined && { "X-Last-Request-Id": lastUuid }),
    };
  }

  /** One connection's life: how it ended, and which form it spoke. */
  async #connect(): Promise<{ closed: CloseInfo; welcomed: "ours" | "plain" | undefined }> {
    const { url, tickMs, plainAfterMs, onEvent } = this.#options;
    const closed = deferred<CloseInfo>();
    let welcomed: "ours" | "plain" | undefined;
    const begin = (form: "ours" | "plain") => {
      welcomed = form;
      this.#form = form;
      this.#endedSaid = false;
      this.#isOurs ||= form === "ours";
      this.#pieces = 0;
      clearTimeout(this.#settleTimer);
      onEvent?.({ kind: "connected", plain: form === "plain" });
    };
    const connection = new DialConnection({
      url,
      headers: this.#headers,
      life: this.life,
      isOurs: this.#isOurs,
      ...(tickMs !== undefined && { tickMs }),
      ...(plainAfterMs !== undefined && { plainAfterMs }),
      onFrame: (frame, lines) => {
        if (frame.subtype === "welcome") begin("ours");
        this.#onFrame(connection, frame, lines);
      },
      onPlain: () => {
        begin("plain");
        for (const line of this.#plain.begin()) connection.send(`${line}\n`);
        this.#ledger.resendAfter({});
        if (!this.#plain.isSure)
          this.#settleTimer = setTimeout(() => this.#isPlain(), SURE_AFTER_MS);
        this.#flush();
      },
      onPlainLines: (lines) => {
        if (!this.#plain.isSure) this.#isPlain();
        this.#plain.onPlainLine();
        for (const line of lines) this.#plain.rememberDelivered(line);
        void this.#toAgent(lines);
      },
      onClosed: (how) => {
        this.#connection = undefined;
        this.#form = undefined;
        clearTimeout(this.#settleTimer);
        closed.resolve(how);
      },
    });
    this.#connection = connection;
    return { closed: await closed.promise, welcomed };
  }

  #onFrame(connection: DialConnection, frame: FromHub, lines: readonly string[]): void {
    switch (frame.subtype) {
      case "welcome":
        // What a hub gave and lost with its memory it gives again, or something else by that number.
        this.#received = Math.min(this.#received, frame.given ?? this.#received);
        this.#welcome(connection, frame.received);
        break;
      case "ack":
        this.#numbers.acknowledged(frame.received);
        if (this.#ledger.acknowledge(SESSION, this.#numbers.toLocalNumber(frame.received)))
          this.#flushSoon();
        break;
      case "lines":
        void this.#onLines(connection, frame.first, lines);
        break;
      case "stop":
        this.#options.onEvent?.({ kind: "stopped-by-hub" });
        void this.#options.process.close();
        break;
      default:
        frame satisfies never;
    }
  }

  #welcome(connection: DialConnection, stored: number): void {
    const numbers = this.#numbers;
    this.#ledger.resendAfter({ [SESSION]: numbers.toLocalNumber(stored) });
    const next = this.#ledger.getFirst(SESSION) ?? this.#ledger.getNext(SESSION) ?? 1;
    const lost = numbers.welcomed(stored, next);
    if (lost > 0) {
      this.#writeNote();
      this.#options.onEvent?.({ kind: "lost", lines: lost });
    }
    const { unreported: untold } = numbers;
    const { folder, agent } = this.#options.about;
    const about = { folder, agent, ...(untold > 0 && { lost: untold }) };
    const received = this.#received;
    connection.send(dialFrame({ subtype: "hello", version: DIAL_VERSION, received, ...about }));
    this.#flush();
  }

  /** Lines for the agent: each once, and none left out. */
  async #onLines(
    connection: DialConnection,
    first: number,
    lines: readonly string[],
  ): Promise<void> {
    if (this.#options.endedLife) return; // nobody is there to hear them
    if (first > this.#received + 1) return connection.close(4409);
    const fresh = lines.slice(this.#received + 1 - first);
    this.#received += fresh.length;
    const received = this.#received;
    await this.#toAgent(fresh);
    if (this.#connection === connection) connection.send(dialFrame({ subtype: "ack", received }));
  }

  async #toAgent(lines: readonly string[]): Promise<void> {
    const { process } = this.#options;
    const fresh = lines.filter((line) => this.#given.isNew(line));
    await Promise.all(fresh.map((line) => process.send(line))).catch(() => {}); // it has left, and says so
  }

  #flushSoon(ms = JOIN_MS): void {
    this.#flushing ??= setTimeout(() => this.#flush(), ms);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    const connection = this.#connection;
    if (!connection || !this.#form) return this.#ledger.writeToDisk();
    const send = this.#form === "ours" ? this.#sendOurs : this.#sendPlain;
    while (this.#ledger.hasUnsent) {
      for (const text of this.#ledger.frames()) {
        if (connection.isFull) this.#flushSoon(FULL_MS);
        const bufferedFrame = createStoredFrame(text, this.#numbers.skipped);
        send(connection, bufferedFrame);
        this.#onAcknowledged(bufferedFrame);
      }
      if (connection.isFull) return;
    }
    this.#sayEnd(connection);
  }

  /** A line in pieces is acknowledged as a whole: the window does not hold back its own end. */
  #onAcknowledged({ last, whole }: StoredFrame): void {
    if (whole) this.#pieces = 0;
    else if (this.#ledger.acknowledgePieces(SESSION, last, ++this.#pieces)) this.#flushSoon();
  }

  readonly #sendOurs = (connection: DialConnection, { head, lines }: StoredFrame): void => {
    connection.send(`${head}\n${lines}`);
  };

  readonly #sendPlain = (connection: DialConnection, bufferedFrame: StoredFrame): void => {
    for (const line of this.#plain.say(bufferedFrame)) connection.send(`${line}\n`);
    this.#countArrived();
  };

  #isPlain(): void {
    clearTimeout(this.#settleTimer);
    this.#plain.confirmPlain();
    this.#countArrived();
    this.#flushSoon();
  }

  #countArrived(): void {
    const last = this.#plain.arrived();
    if (last !== undefined) this.#ledger.acknowledge(SESSION, last);
  }

  /** When the agent is over and everything it said is on its way. */
  #sayEnd(connection: DialConnection): void {
    if (!this.#ended || this.#endedSaid || !this.#ledger.isSent) return;
    if (this.#form === "plain" && !this.#plain.isSure) return;
    this.#endedSaid = true;
    if (this.#form === "ours") connection.send(dialFrame(this.#ended));
    else connection.close(1000);
  }

  #finish(end: DialEnd): void {
    if (this.#leaving) return;
    this.#leaving = true;
    this.#watch.stop();
    this.#retryNow?.();
    clearTimeout(this.#flushing);
    this.#connection?.close();
    this.#ledger.close();
    this.#end.resolve(end);
  }
}

/** A secret that was never taken will not be; one that was may be so again, by a hub that is set right. */
function isFinal({ status }: DialRefusal, everOpened: boolean): boolean {
  return status === 410 || (!everOpened && (status === 401 || status === 404));
}

function describeRefusal({ status, reason }: DialRefusal): string {
  return reason === undefined ? `it said ${status}` : `it said ${status}: ${reason}`;
}
