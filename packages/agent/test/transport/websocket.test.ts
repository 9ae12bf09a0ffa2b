import { afterEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { lineText, type Transport } from "@signalbox/protocol";
import { type WebSocketOptions, webSocketTransport } from "@signalbox/agent";
import { type WebSocket, WebSocketServer } from "ws";
import { promptLines } from "../../src/transport/open-transport.ts";

/** A host that is dialled: notes who comes with which headers, what is said, and cuts at will. */
class Relay {
  readonly server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  readonly headers: Record<string, string | string[] | undefined>[] = [];
  readonly got: string[] = [];
  readonly pings: number[] = [];
  acknowledges = false;
  onLine: () => void = () => {};
  socket: WebSocket | undefined;

  async open(): Promise<this> {
    if (!this.server.address()) await once(this.server, "listening");
    this.server.on("headers", (headers) => {
      const last = this.got.at(-1);
      if (this.acknowledges && last !== undefined) {
        headers.push(`X-Last-Request-Id: ${(JSON.parse(last) as { uuid: string }).uuid}`);
      }
    });
    this.server.on("connection", (socket, request) => {
      this.socket = socket;
      this.headers.push(request.headers);
      socket.on("ping", () => this.pings.push(1));
      socket.on("message", (data: Buffer) => {
        if (this.socket !== socket) return;
        this.got.push(...data.toString().split("\n").filter(Boolean));
        this.onLine();
      });
    });
    return this;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  cut(): void {
    const { socket } = this;
    this.socket = undefined;
    socket?.terminate();
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => (this.onLine = resolve));
  }

  async close(): Promise<void> {
    for (const client of this.server.clients) client.terminate();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

async function dialled(
  options: WebSocketOptions = {},
): Promise<{ relay: Relay; agent: Transport }> {
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
/** A small generator of its own, so that a failure can be repeated. */
function random(seed: number) {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe("the WebSocket transport", () => {
  test("[AG28] it comes with a bearer token, pings, and reads frames of several lines", async () => {
    const { relay, agent } = await dialled({ token: "secret", pingMs: 5 });
    await agent.send(line(1));
    await relay.until(() => relay.got.length === 1);
    expect(relay.headers[0]?.["authorization"]).toBe("Bearer secret");
    relay.socket?.send('{"a":1}\n{"a":2}\n');
    relay.socket?.send('{"a":3}');
    const read: string[] = [];
    for await (const batch of agent.incoming) {
      read.push(...batch.map(lineText));
      if (read.length === 3) break;
    }
    expect(read).toEqual(['{"a":1}', '{"a":2}', '{"a":3}']);
    const socket = relay.socket;
    if (relay.pings.length === 0 && socket) await once(socket, "ping");
  });

  test("[AG29] cut fifty times at random places, nothing is lost", async () => {
    const { relay, agent } = await dialled();
    const chance = random(7);
    const total = 900;
    const cuts = new Set<number>();
    while (cuts.size < 50) cuts.add(Math.floor(chance() * total));
    for (let n = 0; n < total; n++) {
      await agent.send(line(n));
      if (cuts.has(n)) relay.cut();
      if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const all = () => new Set(numbers(relay.got)).size;
    await relay.until(() => all() === total);
    expect(all()).toBe(total);
    expect(relay.headers.length).toBeGreaterThan(1);
    expect(relay.headers.at(-1)?.["x-last-request-id"]).toBeString();
    expect(relay.got.join()).not.toContain("lines_lost");
  });

  test("[AG29] a host that names the last line it has gets only what came after", async () => {
    const { relay, agent } = await dialled();
    relay.acknowledges = true;
    for (let n = 0; n < 10; n++) await agent.send(line(n));
    await relay.until(() => relay.got.length === 10);
    relay.cut();
    for (let n = 10; n < 20; n++) await agent.send(line(n));
    await relay.until(() => relay.got.length >= 20);
    expect(numbers(relay.got)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  test("[AG30] when the ring does not suffice, that is said on both sides", async () => {
    const reports: string[] = [];
    const { relay, agent } = await dialled({ bufferSize: 5, report: (text) => reports.push(text) });
    await agent.send(line(0));
    await relay.until(() => relay.got.length === 1);
    const gone = once(relay.socket!, "close");
    relay.cut();
    await gone;
    for (let n = 1; n <= 30; n++) await agent.send(line(n));
    await relay.until(() => numbers(relay.got).includes(30));
    const told = relay.got.map((one) => JSON.parse(one) as { subtype?: string; lines?: number });
    expect(told.find(({ subtype }) => subtype === "lines_lost")?.lines).toBeGreaterThan(20);
    expect(reports[0]).toContain("were lost");
  });

  test("[AG31] it gives up after so many attempts, with a sentence", async () => {
    const { relay, agent } = await dialled({ attempts: 2 });
    await agent.send(line(0));
    await relay.until(() => relay.got.length === 1);
    await relay.close();
    const reason = await agent.closed;
    expect(reason.kind).toBe("lost");
    expect(reason.sentence).toContain("2 attempts");
    expect(agent.send(line(1))).rejects.toThrow("lost");
  });
});

describe("the factory", () => {
  test("[AG26] text is a prompt, blank text is none", () => {
    expect(promptLines(" \n")).toEqual([]);
    expect(JSON.parse(promptLines("hi")[0] ?? "")).toEqual({
      type: "user",
      session_id: "",
      message: { role: "user", content: "hi" },
      parent_tool_use_id: null,
    });
  });
});
