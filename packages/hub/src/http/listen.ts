import { networkInterfaces } from "node:os";
import { SignalboxError } from "@signalbox/protocol";
import type { Server } from "bun";
import type { Conversation } from "./conversation.ts";
import type { Door } from "./door.ts";
import { planListening, type ListenOptions, type Listener } from "./listen-plan.ts";
import { portOwner } from "./port-owner.ts";

export interface Listening {
  /** For programs on this machine. */
  readonly url: string;
  /** What a person opens. */
  readonly publicUrl: string;
  readonly port: number;
  close(): Promise<void>;
}

/** How long a connection that has not shown a credential may do nothing, in seconds. */
const IDLE = 10;
/** Ports that are free for IPv4 may be taken for IPv6: the system is asked so often for another. */
const TRIES = 20;

export async function listen(options: ListenOptions, door: Door): Promise<Listening> {
  for (let left = TRIES; ; left--) {
    const plan = planListening(options, options.port, hasIpv6());
    const servers: Server<Conversation>[] = [];
    try {
      let { port } = options;
      for (const listener of plan.listeners) {
        const server = start(listener, port, options, door);
        servers.push(server);
        if (port === 0) port = server.port ?? port;
      }
      return listeningOn(servers, options, port, door);
    } catch (error) {
      await Promise.all(servers.map((server) => server.stop(true)));
      if (options.port === 0 && left > 0 && isTaken(error)) continue;
      throw await refusal(error, options);
    }
  }
}

function start(
  listener: Listener,
  port: number,
  options: ListenOptions,
  door: Door,
): Server<Conversation> {
  const actual = port === 0 ? 0 : port + listener.offset;
  let threshold = listener.threshold(actual);
  const tls = listener.tls &&
    options.tls && { cert: Bun.file(options.tls.certFile), key: Bun.file(options.tls.keyFile) };
  const server = Bun.serve<Conversation>({
    hostname: listener.hostname,
    port: actual,
    ...(tls ? { tls } : {}),
    idleTimeout: IDLE,
    // Each route has its own limit, with a sentence; Bun keeps nothing of what is not read.
    maxRequestBodySize: 1024 * 1024 * 1024,
    development: false,
    // `development: false` alone makes Bun 1.4 share the port with whoever else of this user asks for it.
    reusePort: false,
    fetch: (request, server) => door.enter(request, server, threshold),
    websocket: door.sockets.handler(),
  });
  threshold = listener.threshold(server.port ?? actual);
  return server;
}

function listeningOn(
  servers: readonly Server<Conversation>[],
  options: ListenOptions,
  port: number,
  door: Door,
): Listening {
  const plan = planListening(options, port, hasIpv6());
  door.setPublicOrigin(plan.outsideUrl);
  return {
    url: plan.url,
    publicUrl: plan.publicUrl,
    port,
    async close() {
      door.sockets.close();
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
}

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((list) =>
    list?.some(({ address }) => address === "::1"),
  );
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function isTaken(error: unknown): boolean {
  return codeOf(error) === "EADDRINUSE";
}

const notOurs = "this machine has no such address. Give --host one that it has";
/** Why the system lets nobody listen there, and what to do, by its own word for it. */
const reasons: Record<string, string> = {
  EADDRNOTAVAIL: notOurs,
  ENOTFOUND: notOurs,
  EACCES: "this user may not. Choose another port with --port, such as one above 1023",
};

async function refusal(error: unknown, { port, host }: ListenOptions): Promise<unknown> {
  const reason = reasons[String(codeOf(error))];
  if (reason !== undefined) {
    const where = host === undefined ? `port ${port}` : `${host}, port ${port}`;
    const why = `The hub cannot listen on ${where}: ${reason}. It has not started.`;
    return new SignalboxError("CANNOT_LISTEN", { why }, { cause: error });
  }
  if (!isTaken(error)) return error;
  const owner = (await portOwner(port)) ?? "another program";
  const why = `Port ${port} is taken by ${owner}, so the hub has not started. End that program, or choose another port with --port.`;
  return new SignalboxError("CANNOT_LISTEN", { why }, { cause: error });
}
