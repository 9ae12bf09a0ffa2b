// The baseline: a relay that parses each line and sends each line to each client, by topic.
import { answerOnStdin } from "./measured.ts";

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request, it) => (it.upgrade(request) ? undefined : new Response(null, { status: 404 })),
  websocket: {
    // Beyond it the lines of a flood would be dropped, and this relay passes on each of them.
    backpressureLimit: 2 ** 30,
    maxPayloadLength: 64 * 1024 * 1024,
    open: (socket) => void socket.subscribe("lines"),
    message: (socket, text) => {
      const line = String(text);
      if (line === "") {
        socket.send("all of it was passed on");
        return;
      }
      const { type } = JSON.parse(line) as { type: string };
      if (type !== "keep_alive") socket.publish("lines", line);
    },
  },
});
answerOnStdin({ url: `ws://127.0.0.1:${server.port}` });
