import type { Server } from "bun";
import { IDLE } from "./connection-idle.ts";
import type { Conversation } from "./conversation.ts";
import type { Door, Threshold } from "./door.ts";
import { adoptSockets, type InheritedSocket, matchSockets } from "./inherited-sockets.ts";
import { isTaken, listenFailure } from "./listen-failure.ts";
import {
  hasIpv6,
  type Listener,
  type ListenOptions,
  planListening,
  PORT_TRIES,
} from "./listen-plan.ts";
import { SocketFolder } from "./socket-folder.ts";
import { Splice } from "./splice.ts";

export interface Listening {
  /** For programs on this machine. */
  readonly url: string;
  /** What a person opens. */
  readonly publicUrl: string;
  readonly port: number;
  close(): Promise<void>;
}

export function listen(options: ListenOptions, door: Door): Promise<Listening> {
  const { inherited } = options;
  return inherited ? listenOnInherited(options, inherited, door) : bindAndListen(options, door);
}

async function bindAndListen(options: ListenOptions, door: Door): Promise<Listening> {
  for (let left = PORT_TRIES; ; left--) {
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
      throw await listenFailure(error, options);
    }
  }
}

/**
 * Serves on sockets that another process holds open, so that nobody can take the port while no hub
 * runs. What the plan has with TLS is opened here as ever.
 */
async function listenOnInherited(
  options: ListenOptions,
  inherited: readonly number[],
  door: Door,
): Promise<Listening> {
  await using steps = new AsyncDisposableStack();
  const sockets = await adoptSockets(inherited);
  const accepting = steps.use(new DisposableStack());
  for (const socket of sockets) accepting.defer(() => socket.close());
  const { port, listeners } = matchSockets(options, sockets);
  const folder = steps.use(new SocketFolder(options.privateFolder));
  for (const { listener, socket } of listeners) {
    if (socket) serveSpliced(listener, socket, folder, door, steps);
    else {
      const server = await startWithTls(listener, port, options, door);
      steps.defer(() => server.stop(true));
    }
  }
  const open = steps.move();
  const stop = () => {
    accepting.dispose(); // before anything else is closed: whoever comes now waits for the next hub
    return open.disposeAsync();
  };
  return listeningOn([{ stop }], options, port, door);
}

function serveSpliced(
  listener: Listener,
  socket: InheritedSocket,
  folder: SocketFolder,
  door: Door,
  steps: AsyncDisposableStack,
): void {
  const told = listener.threshold(socket.port);
  const onlyFrom = told.proxyOnly ? told.proxy : undefined;
  // On loopback everybody is at the same address, and on the proxy's own listener is the proxy alone.
  const threshold = { ...told, peer: onlyFrom ?? listener.hostname };
  const { path, server } = folder.bind((path) => ({
    path,
    server: Bun.serve<Conversation>({
      ...answering(door, () => threshold),
      unix: path,
      // `server.timeout` does nothing on Unix sockets (Bun 1.4.4), so that no request could be given
      // more time than this; its types do not have it, but it counts. `Splice` ends what is idle.
      ...({ idleTimeout: 0 } as object),
    }),
  }));
  const splice = new Splice({ path, onlyFrom });
  steps.defer(async () => {
    await server.stop(true);
    await splice.close();
  });
  socket.handle((client) => splice.accept(client));
}

async function startWithTls(
  listener: Listener,
  port: number,
  options: ListenOptions,
  door: Door,
): Promise<Server<Conversation>> {
  try {
    return start(listener, port, options, door);
  } catch (error) {
    throw await listenFailure(error, { ...options, port });
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
    // `development: false` alone makes Bun 1.4 share the port with whoever else of this user asks for it.
    reusePort: false,
    idleTimeout: IDLE,
    ...answering(door, () => threshold),
  });
  threshold = listener.threshold(server.port ?? actual);
  return server;
}

/** What every server of the hub does, wherever it listens. */
function answering(door: Door, threshold: () => Threshold) {
  return {
    // Each route has its own limit, with a sentence; Bun keeps nothing of what is not read.
    maxRequestBodySize: 1024 * 1024 * 1024,
    development: false,
    fetch: (request: Request, server: Server<Conversation>) =>
      door.enter(request, server, threshold()),
    websocket: door.sockets.handler(),
  } as const;
}

function listeningOn(
  servers: readonly { stop(closeConnections: boolean): Promise<void> }[],
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
