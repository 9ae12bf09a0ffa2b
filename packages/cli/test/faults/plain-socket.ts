import { createConnection } from "node:net";
import { once } from "node:events";
import type { HubClient } from "@signalbox/client";
import { STREAM_PROTOCOL, TICKET_PROTOCOL } from "@signalbox/api/constants";

/** A stream of the hub's spoken by hand, without a client's manners: it can stop reading. */
export async function plainSocket(hub: HubClient, session: string) {
  const { port, host } = new URL(hub.url);
  const socket = createConnection(Number(port), "127.0.0.1");
  await once(socket, "connect");
  const state = { received: 0 };
  const head = Promise.withResolvers<void>();
  socket.on("error", () => {});
  socket.on("data", (data: Buffer) => {
    state.received += data.length;
    head.resolve();
  });
  const upgrade = [
    "GET /api/stream HTTP/1.1",
    `Host: ${host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
    `Sec-WebSocket-Protocol: ${STREAM_PROTOCOL}, ${TICKET_PROTOCOL}${await hub.ticket()}`,
  ];
  socket.write(`${upgrade.join("\r\n")}\r\n\r\n`);
  await head.promise;
  for (const frame of [
    { type: "hello", version: 1 },
    { type: "watch", session },
  ]) {
    socket.write(masked(JSON.stringify(frame)));
  }
  return Object.assign(state, {
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    get closed() {
      return socket.destroyed;
    },
    [Symbol.dispose]: () => void socket.destroy(),
  });
}

/** A short text frame, with a mask of zeros: what is masked with it stays as it is. */
function masked(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.from([0x81, 0x80 | 126, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}
