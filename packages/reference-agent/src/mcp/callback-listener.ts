import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const LONGEST_MS = 300_000;

/** Waits on this machine for the browser to return from signing in. */
export async function listenForCallback(
  port: number,
  onCallback: (url: string) => Promise<void>,
): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    const plain = { "content-type": "text/plain; charset=utf-8", connection: "close" };
    const url = new URL(request.url ?? "", "http://localhost");
    if (url.pathname !== "/callback") {
      response.writeHead(404, plain).end();
      return;
    }
    onCallback(url.href).then(
      () => response.writeHead(200, plain).end("Signed in. This page can be closed."),
      (why: Error) => response.writeHead(400, plain).end(`Not signed in: ${why.message}`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  server.unref();
  setTimeout(() => server.close(), LONGEST_MS).unref();
  return { server, port: (server.address() as AddressInfo).port };
}
