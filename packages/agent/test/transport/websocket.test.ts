import { afterEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { lineText, type Transport } from "@signalbox/protocol";
import { type WebSocketOptions, webSocketTransport } from "@signalbox/agent/transports";
import { promptLines } from "../../src/transport/open-transport.ts";
import { Relay } from "@signalbox/testing/websocket-relay";
import { until } from "@signalbox/testing/until";

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

async function dialed(options: WebSocketOptions = {}): Promise<{ relay: Relay; agent: Transport }> {
  const relay = await new Relay().open();
  const agent = webSocketTransport(relay.url, {
    firstDelayMs: 1,
    maxDelayMs: 4,
    attempts: 50,
    ...options,
  });
  cleanUp.push(
    () => relay.close(),
    () => agent.close(),
  );
  return { relay, agent };
}

const line = (n: number) => JSON.stringify({ type: "assistant", n, uuid: `u${n}` });
const numbers = (lines: readonly string[]) =>
  lines.map((one) => (JSON.parse(one) as { n?: number }).n);

describe("the WebSocket transport", () => {
  test("[AG28] it sends a bearer token and pings, and reads frames with several lines and lines in several frames", async () => {
    const { relay, agent } = await dialed({ token: "secret", pingMs: 5 });
    await agent.send(line(1));
    await until(() => relay.got.length === 1);
    expect(relay.headers[0]?.["authorization"]).toBe("Bearer secret");
    relay.socket?.send('{"a":1}\n{"a":2}\n');
    relay.socket?.send('{"a":3}');
    relay.socket?.send('{"a":4}\n{"a":');
    relay.socket?.send("5}\n");
    // The cuts are in the middle of each of its characters.
    const cut = Buffer.from('{"a":"é€😀"}\n');
    for (const [from, to] of [[0, 7], [7, 9], [9, 12], [12]])
      relay.socket?.send(cut.subarray(from, to));
    const read: string[] = [];
    for await (const batch of agent.incoming) {
      read.push(...batch.map(lineText));
      if (read.length === 6) break;
    }
    expect(read).toEqual(['{"a":1}', '{"a":2}', '{"a":3}', '{"a":4}', '{"a":5}', '{"a":"é€😀"}']);
    const socket = relay.socket;
    if (relay.pings.length === 0 && socket) await once(socket, "ping");
  });

  test("[AG29] a host that names its last line gets only later ones", async () => {
    const { relay, agent } = await dialed();
    relay.acknowledges = true;
    for (let n = 0; n < 10; n++) await agent.send(line(n));
    await until(() => relay.got.length === 10);
    relay.cut();
    for (let n = 10; n < 20; n++) await agent.send(line(n));
    await until(() => relay.got.length >= 20);
    expect(numbers(relay.got)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  test("[AG31] it gives up after the allowed attempts, with an error", async () => {
    const { relay, agent } = await dialed({ attempts: 2 });
    await agent.send(line(0));
    await until(() => relay.got.length === 1);
    await relay.close();
    const reason = await agent.closed;
    expect(reason.kind).toBe("lost");
    expect(reason.sentence).toContain("2 attempts");
    expect(agent.send(line(1))).rejects.toThrow("lost");
  });

  test("[AG31] a server that closes every connection at once, or never answers, is not a host", async () => {
    const { relay, agent } = await dialed({ attempts: 3 });
    relay.server.on("connection", (socket) => socket.close(1011));
    await agent.send(line(0));
    expect((await agent.closed).sentence).toContain("3 attempts");
    expect(relay.headers.length).toBe(4);

    const mute = createServer().listen(0, "127.0.0.1");
    await once(mute, "listening");
    cleanUp.push(async () => void mute.close());
    const { port } = mute.address() as AddressInfo;
    const patience = { silenceMs: 50, firstDelayMs: 1, attempts: 2 };
    const deaf = webSocketTransport(`ws://127.0.0.1:${port}`, patience);
    expect((await deaf.closed).sentence).toContain("nothing was heard for 50 ms");
  });

  test("[AG31] a connection that stays silent, even to pings, is given up", async () => {
    const { relay, agent } = await dialed({ attempts: 2, pingMs: 10, silenceMs: 50 });
    relay.server.options.autoPong = false;
    await agent.send(line(0));
    expect((await agent.closed).sentence).toContain("2 attempts");
  });

  test("[AG31] a host that has become silent is dialed again", async () => {
    const { relay, agent } = await dialed({ pingMs: 20, silenceMs: 200 });
    relay.server.options.autoPong = false;
    await agent.send(line(0));
    await until(() => relay.headers.length > 1);
    expect(numbers(relay.got)).toContain(0);
  });

  test("[AG29] an agent that ends while disconnected sends its last lines first", async () => {
    const { relay, agent } = await dialed();
    await agent.send(line(0));
    await until(() => relay.got.length === 1);
    const gone = once(relay.socket!, "close");
    relay.cut();
    await gone;
    await agent.send(line(1));
    await agent.close();
    expect(numbers(relay.got)).toContain(1);
  });
});

describe("the factory", () => {
  test("[AG26] text is a prompt, and blank text is none", () => {
    expect(promptLines(" \n")).toEqual([]);
    expect(JSON.parse(promptLines("hi")[0] ?? "")).toEqual({
      type: "user",
      session_id: "",
      message: { role: "user", content: "hi" },
      parent_tool_use_id: null,
    });
  });
});
