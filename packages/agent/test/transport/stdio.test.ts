import { describe, expect, test } from "bun:test";
import { PassThrough, Writable } from "node:stream";
import { openTransport, stdioTransport } from "@signalbox/agent/transports";
import { lineText } from "@signalbox/protocol";
import { until } from "@signalbox/testing/until";
import { WebSocketServer } from "ws";

describe("stdio", () => {
  test("[AG27] lines are written in order, and a full pipe makes senders wait", async () => {
    const written: string[] = [];
    let go: (() => void) | undefined;
    const output = new Writable({
      highWaterMark: 10,
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        written.push(chunk);
        go = done;
      },
    });
    const transport = stdioTransport(new PassThrough(), output);
    const first = transport.send("a".repeat(20));
    const second = transport.send("b");
    let isSent = false;
    void first.then(() => (isSent = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSent).toBe(false);
    await until("everything is written", () => {
      go?.();
      return written.join("").length >= 23;
    });
    go?.();
    await Promise.all([first, second]);
    expect(written.join("")).toBe(`${"a".repeat(20)}\nb\n`);
  });

  test("[AG27] a host that stops reading ends it with an error", async () => {
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
    const transport = stdioTransport(new PassThrough(), output);
    await transport.send("x").catch(() => {});
    expect((await transport.closed).sentence).toContain("no longer reads");
    expect(transport.send("y")).rejects.toThrow("no longer reads");
  });

  test("[AG26] with an address, the input is sent to the conversation first, over WebSocket", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await new Promise<void>((resolve) => server.once("listening", () => resolve()));
    server.on("connection", (socket) => socket.send('{"from":"host"}\n'));
    const { port } = server.address() as { port: number };
    const output = new PassThrough();
    const transport = await openTransport("hello", { sdkUrl: `ws://127.0.0.1:${port}`, output });
    const read: string[] = [];
    for await (const batch of transport.incoming) {
      read.push(...batch.map(lineText));
      if (read.length === 2) break;
    }
    await transport.close();
    for (const client of server.clients) client.terminate();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    expect(read.join()).toContain("hello");
    expect(read.join()).toContain("host");
    expect(output.read()).toBeNull();
  });
});
