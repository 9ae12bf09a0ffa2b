import { accessSync, constants, mkdtempSync, rmSync, statSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { once } from "node:events";
import { openPrivateFolder } from "../sandbox/private-folder.ts";
import type { ModelEndpoint } from "./model-endpoint.ts";

const HEAD_LIMIT = 8 * 1024;
/** Any port works, because the agent has its own network. */
const PROXY_PORT = 3128;
/** The longest path of a Unix socket on Linux is 108 bytes with a terminating zero. */
const MAX_PATH_BYTES = 100;
const SOCKET = "gate.sock";

/** Connects an agent without network to its model: a Unix socket outside, a port inside. */
export interface ModelGate {
  /** The port inside. */
  readonly port: number;
  readonly socket: string;
  /** Variables for the agent's environment. */
  readonly environment: Readonly<Record<string, string>>;
  close(): void;
}

/**
 * The socket is created in the first hidden folder where that is possible, so that no other agent
 * can replace it and read the traffic to the model.
 */
export async function openModelGate(
  endpoint: ModelEndpoint,
  hidden: readonly string[],
): Promise<ModelGate> {
  const above = hidden.find(canHoldSocket) ?? openPrivateFolder();
  const folder = mkdtempSync(join(above, "model-"));
  const socket = join(folder, SOCKET);
  const server: Server = createServer((client) => {
    client.on("error", () => client.destroy());
    if (endpoint.kind === "port") pipeBothWays(client, connect(endpoint.port, "127.0.0.1"));
    else void tunnel(client, new Set(endpoint.hosts));
  });
  server.listen(socket);
  await once(server, "listening");
  server.unref();
  const port = endpoint.kind === "port" ? endpoint.port : PROXY_PORT;
  const proxy = `http://127.0.0.1:${port}`;
  return {
    port,
    socket,
    environment: endpoint.kind === "port" ? {} : { HTTPS_PROXY: proxy, https_proxy: proxy },
    close() {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function canHoldSocket(folder: string): boolean {
  if (Buffer.byteLength(join(folder, "model-XXXXXX", SOCKET)) > MAX_PATH_BYTES) return false;
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false; // the folder does not exist or cannot be written
  }
}

/** Handles `CONNECT host:port` for an allowed host, and refuses everything else. */
async function tunnel(client: Socket, hosts: ReadonlySet<string>): Promise<void> {
  const head = await readHead(client);
  const [, target = ""] = /^CONNECT (\S+) HTTP\/1\.[01]\r\n/.exec(head) ?? [];
  if (!hosts.has(target)) {
    client.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    return;
  }
  const [host = "", port = ""] = target.split(":");
  const server = connect(Number(port), host, () => {
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    pipeBothWays(client, server);
  });
  server.on("error", () => client.destroy());
}

/** Reads the request up to its empty line; returns "" if the request is too long. */
async function readHead(client: Socket): Promise<string> {
  let head = Buffer.alloc(0);
  for await (const piece of client.iterator({ destroyOnReturn: false })) {
    head = Buffer.concat([head, piece as Buffer]);
    const end = head.indexOf("\r\n\r\n");
    if (end >= 0) {
      if (end + 4 < head.length) client.unshift(head.subarray(end + 4));
      return head.toString("latin1", 0, end + 4);
    }
    if (head.length > HEAD_LIMIT) break;
  }
  return "";
}

function pipeBothWays(a: Socket, b: Socket): void {
  a.on("error", () => b.destroy()).on("close", () => b.destroy());
  b.on("error", () => a.destroy()).on("close", () => a.destroy());
  a.pipe(b);
  b.pipe(a);
}
