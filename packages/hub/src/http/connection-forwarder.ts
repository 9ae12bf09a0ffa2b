import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { HubRefusal } from "../engine.ts";
import { IdleTimeout } from "./idle-timeout.ts";
import { normalizeAddress } from "./request-checks.ts";
import { problemResponse } from "./problems.ts";

interface ConnectionForwarderOptions {
  /** The path of the Unix socket on which the HTTP server listens. */
  readonly path: string;
  /** The only address whose connections are passed on; undefined: all are. */
  readonly onlyFrom: string | undefined;
  /** How many connections without a credential may be open; the default is `MAX_ANONYMOUS`. */
  readonly maxAnonymous?: number;
}

/** How long a client that reads nothing keeps the rest of an answer whose server has finished. */
const LINGER_MS = 10_000;
/**
 * How many connections may be open that have shown no credential. For one more, the oldest of them is closed.
 * Each takes three descriptors, and many systems allow a process 4096.
 */
const MAX_ANONYMOUS = 1024;
/** How long a hub that stops waits for its last bytes to be read. */
const LAST_BYTES_MS = 500;
const CHECK_INTERVAL_MS = 1000;
const RETRY_MS = 5;

/**
 * Passes the connections of an inherited socket on to the HTTP server. Bun's server cannot adopt a socket, so
 * it listens on a Unix socket, and the bytes of every connection are copied between the two: no faster than
 * the reader takes them, with each direction ended separately, and aborted when the other side aborts.
 */
export class ConnectionForwarder {
  readonly #options: ConnectionForwarderOptions;
  readonly #clients = new Map<Socket, IdleTimeout>();
  /** Connections that have shown no credential yet, the oldest first. */
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
   * Connects to the HTTP server, and tries again if that is refused: a Unix socket queues 512 connections and
   * refuses the others. Meanwhile the client's bytes wait in the kernel.
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

  /**
   * Closes all connections after the HTTP server has stopped. Clients that do not read their last bytes are
   * not waited for.
   */
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

/**
 * Closes a client's connection once it has read its answer or stopped reading it, whatever it still sends.
 */
function endAfterAnswer(client: Socket): void {
  client.resume(); // a connection that closes with unread bytes would lose the answer
  let unsent = Infinity;
  const timer = setInterval(() => {
    if (client.writableLength === 0 || client.writableLength >= unsent) client.destroy();
    unsent = client.writableLength;
  }, LINGER_MS);
  timer.unref();
  client.once("close", () => clearInterval(timer));
}

/** How many descriptors this process may have; unlimited if the system does not tell. */
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

/** Answers a client that is not the declared proxy with the refusal that `HttpServer` would give. */
async function refuseClient(client: Socket): Promise<void> {
  endAfterAnswer(client);
  const reason = "Only the declared proxy may come this way.";
  const body = await problemResponse(new HubRefusal(403, "not-the-proxy", reason)).text();
  const head = [
    "HTTP/1.1 403 Forbidden",
    "content-type: application/problem+json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  client.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
