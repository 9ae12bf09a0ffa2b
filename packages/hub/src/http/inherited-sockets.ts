import { createServer, isIP, type Socket } from "node:net";
import { SignalboxError } from "@signalbox/protocol";
import { hasIpv6, type Listener, type ListenOptions, planListening } from "./listen-plan.ts";

/** A listening socket that this process was started with. */
export interface InheritedSocket {
  readonly address: string;
  readonly port: number;
  /** Sets the handler of connections. Connections that arrive earlier wait for it. */
  handle(accept: (client: Socket) => void): void;
  /** Stops accepting in this process. Other processes that hold the socket still listen. */
  close(): void;
}

/**
 * Adopts listening sockets by their descriptors. This uses `node:net`, because `Bun.serve` and `node:http`
 * ignore the descriptor on Bun and listen on all addresses instead.
 */
export async function adoptSockets(fds: readonly number[]): Promise<InheritedSocket[]> {
  const sockets: InheritedSocket[] = [];
  try {
    for (const fd of fds) sockets.push(await adopt(fd));
  } catch (error) {
    for (const socket of sockets) socket.close();
    throw error;
  }
  return sockets;
}

async function adopt(fd: number): Promise<InheritedSocket> {
  const early: Socket[] = [];
  let accept: (client: Socket) => void = (client) => early.push(client);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => accept(client));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ fd }, resolve);
    });
  } catch (error) {
    throw mismatchError(`descriptor ${fd} is not a listening socket (${String(error)})`);
  }
  const close = () => {
    server.close();
    for (const client of early) client.destroy();
  };
  const found = server.address();
  if (found === null || typeof found === "string") {
    close();
    throw mismatchError(`descriptor ${fd} is not a TCP socket`);
  }
  return {
    address: found.address,
    port: found.port,
    close,
    handle(each) {
      accept = each;
      for (const client of early.splice(0)) each(client);
    },
  };
}

interface SocketMatch {
  readonly port: number;
  /** The listeners of the plan, in its order. Those with TLS have no socket. */
  readonly listeners: readonly { readonly listener: Listener; readonly socket?: InheritedSocket }[];
}

/**
 * Matches sockets to the listeners of the plan. Every listener with plain HTTP must have exactly one: a
 * missing socket might belong to somebody else, and an additional one might expose the hub to the network.
 */
export function matchSockets(
  options: ListenOptions,
  sockets: readonly InheritedSocket[],
): SocketMatch {
  const near = sockets.find(({ address }) => address === "127.0.0.1");
  if (!near) throw mismatchError("none of them listens on 127.0.0.1");
  const ipv6 = hasIpv6();
  const { listeners: drawn } = planListening(options, 1, ipv6);
  const offset = drawn.find(({ hostname }) => hostname === near.address)?.offset ?? 0;
  const port = near.port - offset;
  const rest = new Set(sockets);
  const listeners = planListening(options, port, ipv6).listeners.map((listener) => {
    if (listener.tls) return { listener };
    const wanted = port + listener.offset;
    const socket = [...rest].find(
      (each) => each.port === wanted && isBoundTo(each.address, listener.hostname),
    );
    if (!socket) throw mismatchError(`${formatAddress(listener.hostname, wanted)} is missing`);
    rest.delete(socket);
    return { listener, socket };
  });
  const [extra] = rest;
  if (extra)
    throw mismatchError(
      `${formatAddress(extra.address, extra.port)} is not one of the hub's addresses`,
    );
  return { port, listeners };
}

/** Whether a socket is bound to a host name's address. The name was resolved by whoever opened the socket. */
function isBoundTo(address: string, hostname: string): boolean {
  return isIP(hostname) === 0 ? isIP(address) !== 0 : address === hostname;
}

function formatAddress(address: string, port: number): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

function mismatchError(what: string): SignalboxError {
  const why = `The hub has not started, because it was given the wrong listening sockets: ${what}. Configure the service manager to open exactly the sockets that docs/running.md names.`;
  return new SignalboxError("CANNOT_LISTEN", { why });
}
