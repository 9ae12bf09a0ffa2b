import { isPortTaken } from "./listen-failure.ts";
import { hasIpv6, type ListenOptions, planListening, MAX_PORT_TRIES } from "./listen-plan.ts";
import { type RawSocket, openRawSocket } from "./raw-socket.ts";

export { DEFAULT_PORT, type ListenOptions } from "./listen-plan.ts";

/** Listening sockets that a hub's process inherits and that stay open when it ends. */
export interface ListeningSockets {
  /** The `port` with which the hub computes the same plan. */
  readonly port: number;
  /** The descriptors of the plan's listeners without TLS, in its order. */
  readonly fds: readonly number[];
  close(): void;
}

/**
 * Listens, without accepting, wherever the hub will serve plain HTTP. The hub opens sockets with TLS itself,
 * because a process that took that port would have no certificate. Throws the system's own error.
 */
export function openListeningSockets(options: ListenOptions): ListeningSockets {
  for (let left = MAX_PORT_TRIES; ; left--) {
    const openSockets: RawSocket[] = [];
    const probes: RawSocket[] = [];
    try {
      let { port } = options;
      for (const { hostname, offset, tls } of planListening(options, port, hasIpv6()).listeners) {
        const socket = openRawSocket(hostname, port === 0 ? 0 : port + offset, !tls);
        (tls ? probes : openSockets).push(socket);
        if (port === 0) port = socket.port;
      }
      const fds = openSockets.map(({ fd }) => fd);
      return { port, fds, close: () => closeAll(openSockets) };
    } catch (error) {
      closeAll(openSockets);
      if (options.port !== 0 || left === 0 || !isPortTaken(error)) throw error;
    } finally {
      closeAll(probes);
    }
  }
}

function closeAll(sockets: readonly RawSocket[]): void {
  for (const socket of sockets) socket.close();
}
