import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { Refusal } from "../engine.ts";
import { IdleTimeout } from "./idle-timeout.ts";
import { normalizeAddress } from "./request-checks.ts";
import { problemResponse } from "./problems.ts";

export interface ConnectionForwarderOptions {
  /** The Unix socket on which the HTTP server listens. */
  readonly path: string;
  /** The only address from which connections are passed on; undefined: from everywhere. */
  readonly onlyFrom: string | undefined;
  /** How many connections without a credential may be open, where it is not the usual. */
  readonly maxAnonymous?: number;
}

/** So long a client that reads nothing keeps what is left of an answer whose server is done. */
const LINGER_MS = 10_000;
/**
 * So many connections may be open on which no credential was shown; the oldest of them ends for one more.
 * Each takes three descriptors, and many systems allow a process 4096.
 */
const MAX_ANONYMOUS = 1024;
/** So long a hub that ends waits for its last bytes to be read. */
const LAST_BYTES_MS = 500;
const CHECK_INTERVAL_MS = 1000;
const RETRY_MS = 5;

/**
 * Passes the connections of an inherited socket on to the HTTP server. Bun's cannot adopt a socket, so
 * it listens on a Unix socket of its own, and every connection is carried there byte for byte: at the
 * reader's pace, each direction ended by itself, and cut off where the other side was cut off.
 */
export class ConnectionForwarder {
  readonly #options: ConnectionForwarderOptions;
  readonly #clients = new Map<Socket, IdleTimeout>();
  /** Those on which no credential was shown yet, the oldest first. */
  readonly #anonymous = new Set<Socket>();
  readonly #maxAnonymous: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #lastLook = performance.now();
  #closed = false;

  constructor(options: ConnectionForwarderOptions) {
    this.#options = options;
    this.#maxAnonymous = options.maxAnonymous ?? Math.min(MAX_ANONYMOUS, readOpenFileLimit() / 4);
    this.#timer = setInterval(() => this.#endIdle(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  accept(client: Socket): void {
    const idle = new IdleTimeout(performance.now());
    this.#clients.set(client, idle);
    client.once("close", () => {
      this.#clients.delete(client);
      this.#anonymous.delete(client);
    });
    this.#anonymous.add(client);
    const [oldest] = this.#anonymous;
    if (this.#anonymous.size > this.#maxAnonymous) oldest?.destroy();
    client.on("error", () => client.destroy());
    const { onlyFrom, path } = this.#options;
    if (onlyFrom === undefined || isFrom(client, onlyFrom)) this.#reach(path, client, idle);
    else void refuseClient(client);
  }

  /**
   * A Unix socket takes 512 connections between two looks of its server and refuses the others: in a
   * crowd one tries again. The client's bytes wait in the kernel meanwhile.
   */
  #reach(path: string, client: Socket, idle: IdleTimeout): void {
    const again = () => {
      if (this.#closed) client.destroy();
      else if (!client.destroyed) this.#reach(path, client, idle);
    };
    const refused = () => void setTimeout(again, RETRY_MS);
    const inner = connect({ path, allowHalfOpen: true });
    inner.once("error", refused);
    inner.once("connect", () => {
      inner.off("error", refused);
      if (client.destroyed) inner.destroy();
      else {
        pipeBothWays(client, inner, idle);
        inner.on("data", () => idle.isAuthenticated && this.#anonymous.delete(client));
      }
    });
  }

  #endIdle(): void {
    const now = performance.now();
    const slept = now - this.#lastLook > 3 * CHECK_INTERVAL_MS;
    this.#lastLook = now;
    for (const [client, idle] of this.#clients) {
      if (slept) idle.restart(now);
      else if (idle.isTimedOut(now)) client.destroy();
    }
  }

  /** Once the HTTP server has ended: a client that does not read its last bytes is not waited for. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    const late = setTimeout(() => {
      for (const client of this.#clients.keys()) client.destroy();
    }, LAST_BYTES_MS);
    const closed = [...this.#clients.keys()].map(
      (client) => new Promise<void>((resolve) => void client.once("close", () => resolve())),
    );
    await Promise.all(closed);
    clearTimeout(late);
  }
}

function pipeBothWays(client: Socket, inner: Socket, idle: IdleTimeout): void {
  client.on("data", (piece: Buffer) => idle.onClientBytes(piece, performance.now()));
  inner.on("data", (piece: Buffer) => idle.onHubBytes(piece, performance.now()));
  // Each `pipe` waits for the slower side, and passes on the end of its own direction.
  client.pipe(inner);
  inner.pipe(client);
  inner.on("error", () => client.destroy());
  client.on("close", () => inner.destroy());
  inner.on("close", () => {
    if (!inner.readableEnded) client.destroy();
    else endAfterAnswer(client);
  });
}

/** Ends a client once it has read its answer, or has stopped to read it, whatever it still sends. */
function endAfterAnswer(client: Socket): void {
  client.resume(); // an answer is lost when bytes are left unread as its connection closes
  let unsent = Infinity;
  const timer = setInterval(() => {
    if (client.writableLength === 0 || client.writableLength >= unsent) client.destroy();
    unsent = client.writableLength;
  }, LINGER_MS);
  timer.unref();
  client.once("close", () => clearInterval(timer));
}

/** How many descriptors this process may have; where the system does not tell, they are not scarce. */
function readOpenFileLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

function isFrom({ remoteAddress }: Socket, address: string): boolean {
  return (
    remoteAddress !== undefined && normalizeAddress(remoteAddress) === normalizeAddress(address)
  );
}

/** Whoever is not the declared proxy is told so, in the words of `HttpServer`, which it never reaches. */
async function refuseClient(client: Socket): Promise<void> {
  endAfterAnswer(client);
  const said = "Only the declared proxy may come this way.";
  const body = await problemResponse(new Refusal(403, "not-the-proxy", said)).text();
  const head = [
    "HTTP/1.1 403 Forbidden",
    "content-type: application/problem+json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  client.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
