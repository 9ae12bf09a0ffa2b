import type { Server } from "bun";
import { IDLE_TIMEOUT_SECONDS } from "./idle-timeout.ts";
import type { SocketHandler } from "./socket-handler.ts";
import type { HttpServer, ListenerPolicy } from "./http-server.ts";
import { adoptSockets, type InheritedSocket, matchSockets } from "./inherited-sockets.ts";
import { isPortTaken, describeListenFailure } from "./listen-failure.ts";
import {
  hasIpv6,
  type Listener,
  type ListenOptions,
  planListening,
  MAX_PORT_TRIES,
} from "./listen-plan.ts";
import { SocketFolder } from "./socket-folder.ts";
import { ConnectionForwarder } from "./connection-forwarder.ts";

export interface HttpListener {
  /** The address for programs on this machine. */
  readonly url: string;
  /** The address that a person opens. */
  readonly publicUrl: string;
  readonly port: number;
  close(): Promise<void>;
}

export function listen(options: ListenOptions, httpServer: HttpServer): Promise<HttpListener> {
  const { inherited } = options;
  return inherited
    ? listenOnInherited(options, inherited, httpServer)
    : bindAndListen(options, httpServer);
}

async function bindAndListen(
  options: ListenOptions,
  httpServer: HttpServer,
): Promise<HttpListener> {
  for (let left = MAX_PORT_TRIES; ; left--) {
    const plan = planListening(options, options.port, hasIpv6());
    const servers: Server<SocketHandler>[] = [];
    try {
      let { port } = options;
      for (const listener of plan.listeners) {
        const server = startServer(listener, port, options, httpServer);
        servers.push(server);
        if (port === 0) port = server.port ?? port;
      }
      return createListener(servers, options, port, httpServer);
    } catch (error) {
      await Promise.all(servers.map((server) => server.stop(true)));
      if (options.port === 0 && left > 0 && isPortTaken(error)) continue;
      throw await describeListenFailure(error, options);
    }
  }
}

/**
 * Serves on sockets that another process keeps open, so that nobody can take the port while no hub runs.
 * Listeners with TLS are opened by the hub itself.
 */
async function listenOnInherited(
  options: ListenOptions,
  inherited: readonly number[],
  httpServer: HttpServer,
): Promise<HttpListener> {
  await using steps = new AsyncDisposableStack();
  const sockets = await adoptSockets(inherited);
  const accepting = steps.use(new DisposableStack());
  for (const socket of sockets) accepting.defer(() => socket.close());
  const { port, listeners } = matchSockets(options, sockets);
  const folder = steps.use(new SocketFolder(options.privateFolder));
  for (const { listener, socket } of listeners) {
    if (socket) serveForwarded(listener, socket, folder, httpServer, steps);
    else {
      const server = await startWithTls(listener, port, options, httpServer);
      steps.defer(() => server.stop(true));
    }
  }
  const open = steps.move();
  const stop = () => {
    accepting.dispose(); // stops accepting first, so that new connections wait for the next hub
    return open.disposeAsync();
  };
  return createListener([{ stop }], options, port, httpServer);
}

function serveForwarded(
  listener: Listener,
  socket: InheritedSocket,
  folder: SocketFolder,
  httpServer: HttpServer,
  steps: AsyncDisposableStack,
): void {
  const listenerPolicy = listener.createPolicy(socket.port);
  const onlyFrom = listenerPolicy.proxyOnly ? listenerPolicy.proxy : undefined;
  // On loopback all clients have the same address, and only the proxy connects to the proxy's own listener.
  const policy = { ...listenerPolicy, peer: onlyFrom ?? listener.hostname };
  const { path, server } = folder.bind((path) => ({
    path,
    server: Bun.serve<SocketHandler>({
      ...serverHandlers(httpServer, () => policy),
      unix: path,
      // Bun's own idle timeout is off, because `server.timeout` does nothing on Unix sockets (Bun 1.4.4), so
      // that a request could not be given more time. The types lack this option, but it works.
      // `ConnectionForwarder` closes idle connections instead.
      ...({ idleTimeout: 0 } as object),
    }),
  }));
  const forwarder = new ConnectionForwarder({ path, onlyFrom });
  steps.defer(async () => {
    await server.stop(true);
    await forwarder.close();
  });
  socket.handle((client) => forwarder.accept(client));
}

async function startWithTls(
  listener: Listener,
  port: number,
  options: ListenOptions,
  httpServer: HttpServer,
): Promise<Server<SocketHandler>> {
  try {
    return startServer(listener, port, options, httpServer);
  } catch (error) {
    throw await describeListenFailure(error, { ...options, port });
  }
}

function startServer(
  listener: Listener,
  port: number,
  options: ListenOptions,
  httpServer: HttpServer,
): Server<SocketHandler> {
  const actual = port === 0 ? 0 : port + listener.offset;
  let policy = listener.createPolicy(actual);
  const tls = listener.tls &&
    options.tls && { cert: Bun.file(options.tls.certFile), key: Bun.file(options.tls.keyFile) };
  const server = Bun.serve<SocketHandler>({
    hostname: listener.hostname,
    port: actual,
    ...(tls ? { tls } : {}),
    // `development: false` alone makes Bun 1.4 share the port with other processes of this user.
    reusePort: false,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    ...serverHandlers(httpServer, () => policy),
  });
  policy = listener.createPolicy(server.port ?? actual);
  return server;
}

/** The handlers that every server of the hub has, wherever it listens. */
function serverHandlers(httpServer: HttpServer, getPolicy: () => ListenerPolicy) {
  return {
    // Each route has its own limit and error message, and Bun buffers nothing that is not read.
    maxRequestBodySize: 1024 * 1024 * 1024,
    development: false,
    fetch: (request: Request, server: Server<SocketHandler>) =>
      httpServer.handle(request, server, getPolicy()),
    websocket: httpServer.sockets.handler(),
  } as const;
}

function createListener(
  servers: readonly { stop(closeConnections: boolean): Promise<void> }[],
  options: ListenOptions,
  port: number,
  httpServer: HttpServer,
): HttpListener {
  const plan = planListening(options, port, hasIpv6());
  httpServer.setPublicOrigin(plan.outsideUrl);
  return {
    url: plan.url,
    publicUrl: plan.publicUrl,
    port,
    async close() {
      httpServer.sockets.close();
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
}
