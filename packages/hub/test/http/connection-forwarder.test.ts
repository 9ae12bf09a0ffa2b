import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { until } from "@signalbox/testing/until";
import {
  AUTHENTICATED_HEADER,
  KEEP_ALIVE_SECONDS,
  IdleTimeout,
  IDLE_TIMEOUT_SECONDS,
} from "../../src/http/idle-timeout.ts";
import { ConnectionForwarder } from "../../src/http/connection-forwarder.ts";

setDefaultTimeout(180_000);

const MB = 1024 * 1024;
const folder = (await Bun.$`mktemp -d`.text()).trim();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A listening socket whose connections are passed on to a Unix socket. */
async function openSplice(path: string, maxAnonymous?: number) {
  const splice = new ConnectionForwarder({
    path,
    onlyFrom: undefined,
    ...(maxAnonymous !== undefined && { maxAnonymous }),
  });
  const server = createServer({ allowHalfOpen: true }, (client) => splice.accept(client));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    async close() {
      server.close();
      await splice.close();
    },
  };
}

describe("HTTP through a splice", () => {
  const body = new Uint8Array(100 * MB);
  for (let at = 0; at < body.length; at += 4096) body[at] = at >> 12;
  const path = `${folder}/http.sock`;
  let inner: ReturnType<typeof Bun.serve>;
  let outer: Awaited<ReturnType<typeof openSplice>>;
  beforeAll(async () => {
    inner = Bun.serve({
      unix: path,
      maxRequestBodySize: 200 * MB,
      async fetch(request, server) {
        if (server.upgrade(request, { data: undefined })) return undefined;
        if (request.method === "POST") return new Response(getHash(await request.bytes()));
        return new Response(body);
      },
      websocket: {
        maxPayloadLength: 16 * MB,
        message: (socket, message) => void socket.send(message),
      },
    });
    outer = await openSplice(path);
  });
  afterAll(async () => {
    await inner.stop(true);
    await outer.close();
  });
  const getHash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

  test("[HH72] 100 MB come whole, and go whole", async () => {
    const url = `http://127.0.0.1:${outer.port}/`;
    const got = await (await fetch(url)).bytes();
    expect([got.length, getHash(got)]).toEqual([body.length, getHash(body)]);
    const answer = await fetch(url, { method: "POST", body });
    expect(await answer.text()).toBe(getHash(body));
  });

  test("[HH72] a WebSocket carries frames of every size, in order", async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${outer.port}/`);
    socket.binaryType = "arraybuffer";
    const sizes = [0, 1, 125, 126, 65_535, 65_536, MB, 8 * MB];
    const got: number[] = [];
    const { promise: done, resolve } = Promise.withResolvers<void>();
    socket.addEventListener("message", ({ data }) => {
      got.push((data as ArrayBuffer).byteLength);
      if (got.length === sizes.length * 3) resolve();
    });
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    for (let round = 0; round < 3; round++) {
      for (const size of sizes) socket.send(new Uint8Array(size));
    }
    await done;
    expect(got).toEqual([...sizes, ...sizes, ...sizes]);
    const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener("close", resolve));
    socket.close(4000, "enough");
    expect(await closed).toMatchObject({ code: 4000 });
  });

  test("[HH72] a thousand idle connections leave no descriptor open", async () => {
    const before = readdirSync("/proc/self/fd").length;
    const clients = await Promise.all(
      Array.from(
        { length: 1000 },
        () =>
          new Promise<Socket>((resolve, reject) => {
            const client = connect(outer.port, "127.0.0.1", () => resolve(client));
            client.on("error", reject);
          }),
      ),
    );
    const open = () => readdirSync("/proc/self/fd").length;
    // Of each: the client's end, ours, and both ends of the Unix connection.
    await until("all are passed on", () => open() >= 4000, { seen: open });
    for (const client of clients) client.destroy();
    await until("all are closed", () => open() <= before + 10, { seen: open });
  });
});

describe("bytes through a splice", () => {
  const path = `${folder}/bytes.sock`;
  const accepted: Socket[] = [];
  let inner: Server;
  let outer: Awaited<ReturnType<typeof openSplice>>;
  beforeAll(async () => {
    inner = createServer({ allowHalfOpen: true }, (socket) => void accepted.push(socket));
    await new Promise<void>((resolve) => void inner.listen(path, resolve));
    outer = await openSplice(path);
  });
  afterAll(async () => {
    inner.close();
    await outer.close();
  });

  /** Both ends of one connection, with all that came and how it ended. */
  async function ends() {
    const count = accepted.length;
    const client = connect({ port: outer.port, host: "127.0.0.1", allowHalfOpen: true });
    await until("it is passed on", () => accepted.length > count);
    return [watch(client), watch(accepted[count] as Socket)] as const;
  }
  function watch(socket: Socket) {
    const seen = { socket, bytes: 0, ended: false, closed: false };
    socket.on("data", (piece: Buffer) => void (seen.bytes += piece.length));
    socket.on("end", () => void (seen.ended = true));
    socket.on("close", () => void (seen.closed = true));
    socket.on("error", () => {});
    return seen;
  }

  test("[HH72] the end of one direction is passed on, and the other goes on", async () => {
    const [client, hub] = await ends();
    client.socket.end("all that I ask");
    await until("the hub has it", () => hub.ended && hub.bytes === 14);
    hub.socket.write("an answer");
    await until("the client has it", () => client.bytes === 9);
    expect(client.ended).toBe(false);
    hub.socket.end();
    await until("both are closed", () => client.closed && hub.closed);
  });

  test("[HH72] an abrupt end of either is one of the other", async () => {
    const [gone, hub] = await ends();
    gone.socket.write("half of what I");
    await until("it is there", () => hub.bytes === 14);
    gone.socket.resetAndDestroy();
    await until("the hub's end is over", () => hub.ended || hub.closed);
    const [client, cut] = await ends();
    cut.socket.write("half of an");
    await until("it is there", () => client.bytes === 10);
    cut.socket.destroy();
    await until("the client's end is over", () => client.ended || client.closed);
  });

  test("[HH72] whoever does not read is not read ahead for", async () => {
    const total = 200 * MB;
    const most = 32 * MB;
    const count = accepted.length;
    let read = 0;
    const client = connect(outer.port, "127.0.0.1");
    client.on("error", () => {});
    await until("it is passed on", () => accepted.length > count);
    const source = accepted[count] as Socket;
    const piece = Buffer.alloc(MB / 4);
    let written = 0;
    let waits = false;
    let ahead = 0;
    const write = () => {
      waits = false;
      while (written < total && !waits) {
        waits = !source.write(piece);
        written += piece.length;
        ahead = Math.max(ahead, written - read);
      }
      if (written >= total) source.end();
    };
    source.on("drain", write);
    write();
    // It has come to rest when it waits and nothing more has been taken over many looks.
    let [last, looks] = [0, 0];
    await until("the hub is made to wait", () => {
      looks = waits && written === last ? looks + 1 : 0;
      last = written;
      return looks > 40 || written >= total;
    });
    expect(written).toBeLessThan(most);
    client.on("data", (piece: Buffer) => void (read += piece.length));
    await until("all has come", () => read === total, { seen: () => ({ read, written }) });
    expect(ahead).toBeLessThan(most);
  });
});

describe("connections without a credential", () => {
  const path = `${folder}/anonymous.sock`;
  let inner: ReturnType<typeof Bun.serve>;
  beforeAll(() => {
    inner = Bun.serve({
      unix: path,
      fetch: ({ headers }) => {
        const known = headers.has("authorization") ? { [AUTHENTICATED_HEADER]: "yes" } : {};
        return new Response("ok", { headers: known });
      },
    });
  });
  afterAll(() => inner.stop(true));

  test("[HH76] of too many of them the oldest ends, and never one that has shown a credential", async () => {
    const outer = await openSplice(path, 3);
    const closed: string[] = [];
    const sockets: Socket[] = [];
    const open = async (name: string, header = "") => {
      const socket = connect(outer.port, "127.0.0.1");
      sockets.push(socket);
      socket.on("error", () => {});
      socket.on("close", () => closed.push(name));
      const answered = new Promise((resolve) => socket.once("data", resolve));
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${header}\r\n`);
      await answered;
    };
    await open("known", "authorization: x\r\n");
    for (const name of ["first", "second", "third"]) await open(name);
    expect(closed).toEqual([]);
    await open("fourth");
    await until("the oldest ends", () => closed.length > 0);
    expect(closed).toEqual(["first"]);
    for (const socket of sockets) socket.destroy();
    await outer.close();
  });
});

describe("idle connections", () => {
  const text = (value: string) => Buffer.from(value);
  const [long, afterAnswer] = [IDLE_TIMEOUT_SECONDS * 1000 + 1, KEEP_ALIVE_SECONDS * 1000 + 1];

  test("[HH72] are ended before they ask, while they are about to, and after an answer", () => {
    const silent = new IdleTimeout(0);
    expect([silent.isTimedOut(long - 2), silent.isTimedOut(long)]).toEqual([false, true]);

    const half = new IdleTimeout(0);
    half.onClientBytes(text("GET / HTTP/1.1\r\nHo"), 5);
    expect([half.isTimedOut(long), half.isTimedOut(long + 5)]).toEqual([false, true]);

    const kept = new IdleTimeout(0);
    kept.onClientBytes(text("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), 0);
    kept.onHubBytes(text("HTTP/1.1 200 OK\r\n\r\n"), 0);
    expect([kept.isTimedOut(long), kept.isTimedOut(afterAnswer)]).toEqual([false, true]);
    kept.onClientBytes(text("GET / HTTP/1.1\r\nHo"), 0);
    expect(kept.isTimedOut(long)).toBe(true);
  });

  test("[HH76] a head that arrives slowly has no more time than one that stands still", () => {
    const drips = new IdleTimeout(0);
    drips.onClientBytes(text("GET / HTTP/1.1\r\n"), 0);
    for (let at = 4000; at < long; at += 4000) drips.onClientBytes(text("x: y\r\n"), at);
    expect([drips.isTimedOut(long - 2), drips.isTimedOut(long)]).toEqual([false, true]);

    const answered = new IdleTimeout(0);
    answered.onClientBytes(text("POST / HTTP/1.1\r\ncontent-length: 60000\r\n\r\n"), 0);
    answered.onHubBytes(text("HTTP/1.1 404 Not Found\r\n\r\n"), 0);
    for (let at = 4000; at < long + 8000; at += 4000) answered.onClientBytes(text(" "), at);
    expect(answered.isTimedOut(long + 4000)).toBe(true);
  });

  test("[HH72] are not those that wait for an answer, nor WebSockets", () => {
    const pieces = ["GET / HTTP/1.1\r\nHost: x\r\n\r\n"];
    for (let cut = 1; cut < 4; cut++) pieces.push(pieces[0]?.slice(0, -cut) ?? "");
    for (const [at, head] of pieces.entries()) {
      const waits = new IdleTimeout(0);
      waits.onClientBytes(text(head), 0);
      for (const rest of "\r\n\r\n".slice(4 - at)) waits.onClientBytes(text(rest), 0);
      expect({ head, idle: waits.isTimedOut(1e9) }).toEqual({ head, idle: false });
    }
    const socket = new IdleTimeout(0);
    socket.onClientBytes(text("GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"), 0);
    socket.onHubBytes(text("HTTP/1.1 101 Switching Protocols\r\n\r\n"), 0);
    socket.onHubBytes(text("a frame"), 0);
    socket.onClientBytes(text("a frame"), 0);
    expect(socket.isTimedOut(1e9)).toBe(false);
  });
});
