import { connect, createServer } from "node:net";

/** A reverse proxy as people put one before a hub: what asks comes from this machine, under this name. */
export async function openReverseProxy(
  port: number,
  host: string,
): Promise<{ port: number } & AsyncDisposable> {
  const forwarded = `Host: ${host}\r\nX-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: ${host}\r\n`;
  const server = createServer((client) => {
    const hub = connect(port, "127.0.0.1");
    client.once("data", (bytes) => {
      hub.write(bytes.toString("latin1").replace(/Host: .*\r\n/, forwarded), "latin1");
      client.pipe(hub);
    });
    hub.pipe(client);
    client.on("error", () => hub.destroy());
    hub.on("error", () => client.destroy());
    client.on("close", () => hub.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: address.port, [Symbol.asyncDispose]: close };
}
