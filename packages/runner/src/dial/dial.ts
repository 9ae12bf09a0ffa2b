import { deferred, pastProxies } from "@signalbox/protocol";
import { onWake } from "../awake.ts";
import type { AgentProcess } from "../drivers/stdio/agent-process.ts";
import { backOffMs } from "../link/back-off.ts";
import { Ledger, type RunLog } from "../link/ledger.ts";
import type { Limits } from "../link/unacknowledged.ts";
import { withoutKeepAlive } from "../supervise/keep-alive.ts";
import { type Closed, DialConnection } from "./dial-connection.ts";
import { DIAL_VERSION, dialFrame, type FromHub, keptFrame, type ToHub } from "./frames.ts";
import { GivenPrompts } from "./given-prompts.ts";
import { addressHash, writeLifeNote } from "./life-note.ts";
import { Ring } from "./ring.ts";

const SESSION = "dial";
const FIRST_MS = 2000; // with jitter: one to two seconds
const CAP_MS = 30_000;
const JOIN_MS = 10;
const FULL_MS = 20;
const STDERR_TOLD = 8 * 1024;

/** What is said on the way, for a person. */
export type DialNews =
  | { readonly kind: "connected"; readonly plain: boolean }
  | { readonly kind: "away"; readonly why: string; readonly againMs: number }
  | { readonly kind: "stopped-by-hub" };

/** How it came out. */
export type DialEnd =
  | { readonly kind: "delivered" }
  | { readonly kind: "refused"; readonly status: number }
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
  readonly endedLife?: string;
  /** What is waited for before the first connection. */
  readonly after?: Promise<unknown>;
  readonly onNews?: (news: DialNews) => void;
  readonly limits?: Limits;
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
  readonly #ledger: Ledger;
  readonly #log: RunLog;
  readonly #ring = new Ring();
  readonly #given = new GivenPrompts();
  readonly #end = deferred<DialEnd>();
  readonly #watch = onWake(() => this.#hurry?.());
  #connection: DialConnection | undefined;
  #form: "ours" | "plain" | undefined;
  #ended: ToHub | undefined;
  #endedSaid = false;
  #received = 0;
  #pieces = "";
  #leaving = false;
  #flushing: ReturnType<typeof setTimeout> | undefined;
  #hurry: (() => void) | undefined;

  constructor(options: DialOptions) {
    this.#options = options;
    this.life = options.endedLife ?? crypto.randomUUID();
    this.#ledger = new Ledger(options.dataFolder, options.limits);
    if (options.endedLife !== undefined) this.#ledger.recoverLines();
    else writeLifeNote(options.dataFolder, { life: this.life, to: addressHash(options.url) });
    this.#log = this.#ledger.open(SESSION, this.life, 0);
    this.#ledger.onLines = () => this.#flushSoon();
    void this.#read();
    void this.#keepConnected();
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
      this.#log.add("agent", withoutKeepAlive(batch));
      await this.#log.room(); // nothing is read before there is: the agent waits, and nothing is lost
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
      this.#ledger.spill();
      if (this.#leaving) return;
      if (this.#isOver(closed, welcomed)) return this.#finish({ kind: "delivered" });
      everOpened ||= closed.opened;
      const status = closed.opened ? undefined : await this.#statusOf();
      const final = status === 410 || (!everOpened && (status === 401 || status === 404));
      if (final && status !== undefined) return this.#finish({ kind: "refused", status });
      if (welcomed) attempt = 0;
      const againMs = backOffMs(attempt, CAP_MS, Math.random(), this.#options.firstMs ?? FIRST_MS);
      const why =
        status === undefined ? closed.reason || `closed with ${closed.code}` : `it said ${status}`;
      this.#options.onNews?.({ kind: "away", why, againMs });
      await this.#pause(againMs);
    }
  }

  /** After 1000 our hub wants nothing more; other relays close as they like. */
  #isOver({ opened, code }: Closed, welcomed: "ours" | "plain" | undefined): boolean {
    if (!opened || code !== 1000) return false;
    if (welcomed === "plain") return this.#endedSaid;
    return welcomed === "ours";
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#hurry = undefined;
  }

  get #headers(): Record<string, string> {
    const { token } = this.#options;
    const { lastUuid } = this.#ring;
    return {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(lastUuid !== undefined && { "X-Last-Request-Id": lastUuid }),
    };
  }

  /** One connection's life: how it ended, and which form it spoke. */
  async #connect(): Promise<{ closed: Closed; welcomed: "ours" | "plain" | undefined }> {
    const { url, tickMs, plainAfterMs, onNews } = this.#options;
    const closed = deferred<Closed>();
    let welcomed: "ours" | "plain" | undefined;
    const begin = (form: "ours" | "plain") => {
      welcomed = form;
      this.#form = form;
      this.#endedSaid = false;
      this.#pieces = "";
      onNews?.({ kind: "connected", plain: form === "plain" });
    };
    const connection = new DialConnection({
      url,
      headers: this.#headers,
      life: this.life,
      ...(tickMs !== undefined && { tickMs }),
      ...(plainAfterMs !== undefined && { plainAfterMs }),
      onFrame: (frame, lines) => {
        if (frame.subtype === "welcome") begin("ours");
        this.#onFrame(connection, frame, lines);
      },
      onPlain: () => {
        begin("plain");
        for (const line of this.#ring.messages) connection.send(`${line}\n`);
        this.#ledger.sendAgainAfter({});
        this.#flush();
      },
      onPlainLines: (lines) => void this.#toAgent(lines),
      onClosed: (how) => {
        this.#connection = undefined;
        this.#form = undefined;
        closed.resolve(how);
      },
    });
    this.#connection = connection;
    return { closed: await closed.promise, welcomed };
  }

  #onFrame(connection: DialConnection, frame: FromHub, lines: readonly string[]): void {
    switch (frame.subtype) {
      case "welcome": {
        const { folder, agent } = this.#options.about;
        const received = this.#received;
        const hello = { subtype: "hello", version: DIAL_VERSION, received, folder, agent } as const;
        connection.send(dialFrame(hello));
        this.#ledger.sendAgainAfter({ [SESSION]: frame.received });
        if ((this.#ledger.firstOf(SESSION) ?? 0) > frame.received + 1) this.#forgetTorn();
        this.#flush();
        break;
      }
      case "ack":
        if (this.#ledger.acknowledge(SESSION, frame.received)) this.#flushSoon();
        break;
      case "lines":
        void this.#onLines(connection, frame.first, lines);
        break;
      case "stop":
        this.#options.onNews?.({ kind: "stopped-by-hub" });
        void this.#options.process.close();
        break;
      default:
        frame satisfies never;
    }
  }

  /** Lines before those on the disk were in the memory of a process that was killed: nothing after them fits. */
  #forgetTorn(): void {
    this.#ledger.acknowledge(SESSION, Number.MAX_SAFE_INTEGER);
    if (this.#ended?.subtype !== "ended") return;
    const stderr = `${this.#ended.stderr} Some of what its agent said last was lost with it.`;
    this.#ended = { ...this.#ended, stderr };
  }

  /** Lines for the agent: each once, and none left out. */
  async #onLines(
    connection: DialConnection,
    first: number,
    lines: readonly string[],
  ): Promise<void> {
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
    if (!connection || !this.#form) return this.#ledger.spill();
    const send = this.#form === "ours" ? this.#sendOurs : this.#sendPlain;
    while (this.#ledger.hasUnsent) {
      for (const text of this.#ledger.frames()) {
        if (connection.isFull) this.#flushSoon(FULL_MS);
        send(connection, text);
      }
      if (connection.isFull) return;
    }
    this.#sayEnd(connection);
  }

  readonly #sendOurs = (connection: DialConnection, text: string): void => {
    const { head, lines } = keptFrame(text);
    connection.send(`${head}\n${lines}`);
  };

  /** Nobody will acknowledge it: what was sent counts as arrived, and may be said again. */
  readonly #sendPlain = (connection: DialConnection, text: string): void => {
    const { lines, last, whole } = keptFrame(text);
    this.#pieces += lines;
    if (!whole) return;
    for (const line of this.#pieces.split("\n")) {
      connection.send(`${line}\n`);
      this.#ring.push(line);
    }
    this.#pieces = "";
    this.#ledger.acknowledge(SESSION, last);
  };

  /** When the agent is over and everything it said is on its way. */
  #sayEnd(connection: DialConnection): void {
    if (!this.#ended || this.#endedSaid || !this.#ledger.isSent) return;
    this.#endedSaid = true;
    if (this.#form === "ours") connection.send(dialFrame(this.#ended));
    else connection.close(1000);
  }

  /** Why there was no connection: the same request without an upgrade is answered with a status. */
  async #statusOf(): Promise<number | undefined> {
    const url = this.#options.url.replace(/^ws/, "http");
    try {
      const headers = { ...this.#headers, "X-Signalbox-Dial": this.life };
      const signal = AbortSignal.timeout(5000);
      const { status } = await fetch(url, { ...pastProxies(url), headers, signal });
      return status;
    } catch {
      return undefined;
    }
  }

  #finish(end: DialEnd): void {
    if (this.#leaving) return;
    this.#leaving = true;
    this.#watch.stop();
    this.#hurry?.();
    clearTimeout(this.#flushing);
    this.#connection?.close();
    this.#ledger.close();
    this.#end.resolve(end);
  }
}
