import { expect, setDefaultTimeout, test } from "bun:test";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { openStore } from "@signalbox/hub/store";
import { STREAM_PROTOCOL, TICKET_PROTOCOL } from "@signalbox/api/constants";
import { until } from "@signalbox/testing/until";
import { DeviceLimits } from "../../src/http/device-limits.ts";
import { LogRateLimiter } from "../../src/logging/log-rate-limiter.ts";
import { openLogFile, rotateIfLarge } from "../../src/logging/log-file.ts";
import { item, openFolder, session } from "../store/rows.ts";
import { enterStream, openTestServer, openStream } from "./stage.ts";
import { rawRequest } from "@signalbox/testing/raw-request";
import { authorization, newDevice } from "@signalbox/testing/signed-requests";

setDefaultTimeout(180_000);

test("[HH50] a device has so many streams and no more, and other devices have theirs", async () => {
  await using testServer = await openTestServer({ limits: { streams: 3 } });
  const token = await testServer.tokenOf("viewer");
  const tickets = await Promise.all(Array.from({ length: 5 }, () => testServer.getTicket(token)));
  const streams = [];
  for (const ticket of tickets.slice(0, 3)) {
    const stream = openStream(testServer.url, ticket);
    await stream.opened;
    stream.send({ type: "hello", version: 1 });
    await stream.frame("welcome");
    streams.push(stream);
  }
  // Tickets of before do not help, and no more are given.
  const protocols = `${STREAM_PROTOCOL}, ${TICKET_PROTOCOL}${tickets[3]}`;
  const head = [
    "GET /api/stream HTTP/1.1",
    `Host: 127.0.0.1:${testServer.port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
    `Sec-WebSocket-Protocol: ${protocols}`,
  ].join("\r\n");
  expect(await rawRequest(testServer.port, `${head}\r\n\r\n`)).toStartWith("HTTP/1.1 429");
  const refused = await testServer.ask("POST", "/api/tickets", { token });
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: "too-many-streams" });
  using other = await enterStream(testServer, await testServer.tokenOf("viewer"));
  expect(other.frames[0]?.type).toBe("welcome");
  streams[0]?.socket.close();
  const again = await until("a stream that has closed makes room", async () => {
    const answer = await testServer.ask("POST", "/api/tickets", { token });
    return answer.status === 201;
  });
  expect(again).toBe(true);
  for (const stream of streams) stream.socket.close();
});

test("[HH50] a device asks so often at once, then so often a second, and no more", async () => {
  let now = 0;
  const limits = new DeviceLimits({ requestsPerSecond: 10, requestBurst: 5 }, () => now);
  const asked = () => {
    try {
      limits.countRequest("a");
      return true;
    } catch (refusal) {
      expect(refusal).toMatchObject({ status: 429, code: "too-many-requests" });
      return false;
    }
  };
  expect(Array.from({ length: 6 }, asked)).toEqual([true, true, true, true, true, false]);
  limits.countRequest("b");
  now += 200;
  expect(Array.from({ length: 3 }, asked)).toEqual([true, true, false]);
  now -= 1000; // whatever a clock does, nothing is given for it
  expect(asked()).toBe(false);
});

test("[HH50] what is too often is refused over HTTP, with when to come again", async () => {
  await using testServer = await openTestServer({
    limits: { requestsPerSecond: 0, requestBurst: 2 },
  });
  const token = await testServer.tokenOf("viewer");
  const answers = [];
  for (let nth = 0; nth < 3; nth++)
    answers.push(await testServer.ask("GET", "/api/hub", { token }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(answers[2]?.headers.get("retry-after")).toBe("1");
  const other = await testServer.tokenOf("viewer");
  expect((await testServer.ask("GET", "/api/hub", { token: other })).status).toBe(200);
});

test("[HH50] bodies of one device are held up to a limit, which is free again afterwards", async () => {
  await using testServer = await openTestServer({ limits: { bodyBytes: 1000 } });
  const token = await testServer.tokenOf("driver");
  const send = (text: string) =>
    testServer.ask("POST", `/api/sessions/${crypto.randomUUID()}/prompts`, {
      token,
      body: { text },
    });
  for (let round = 0; round < 3; round++) expect((await send("x".repeat(800))).status).toBe(202);
  const refused = await send("x".repeat(1200));
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: "too-much-at-once" });
  expect((await send("x".repeat(800))).status).toBe(202);
});

/** A stream that is spoken by hand and never reads. */
async function deafStream(port: number, ticket: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  const upgrade = [
    "GET /api/stream HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
    `Sec-WebSocket-Protocol: ${STREAM_PROTOCOL}, ${TICKET_PROTOCOL}${ticket}`,
  ];
  socket.write(`${upgrade.join("\r\n")}\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

/** A text frame with a mask of zeros: what is masked with it stays as it is. */
function masked(frame: object): Buffer {
  const body = Buffer.from(JSON.stringify(frame));
  const head = Buffer.from([0x81, 0x80 | 126, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}

function peakMiB(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? Number.NaN) / 1024;
}

test("[HH51] forty streams that acknowledge what they never read cost the hub little memory", async () => {
  await using folder = await openFolder();
  const id = crypto.randomUUID();
  {
    await using store = await openStore(folder.path);
    const items = Array.from({ length: 50 }, (_, nth) =>
      item(id, nth + 1, {
        json: JSON.stringify({ id: `item-${nth + 1}`, text: "x".repeat(5000) }),
      }),
    );
    await store.commit([session(id), ...items]);
  }
  const script = join(import.meta.dir, "../fuzz/hub-process.ts");
  const hub = Bun.spawn([process.execPath, script, folder.path], { stdout: "pipe" });
  const sockets: Socket[] = [];
  try {
    const reader = hub.stdout.getReader();
    const { value } = await reader.read();
    const { url, port, code } = JSON.parse(new TextDecoder().decode(value)) as Record<
      string,
      string
    >;
    const post = async (path: string, token?: string, body?: object) => {
      const text = body ? JSON.stringify(body) : "";
      const shown = token && (await authorization(url ?? "", token, "POST", path, text));
      const answer = await fetch(url + path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(shown && { authorization: shown }),
        },
        ...(body && { body: text }),
      });
      return (await answer.json()) as { ticket?: string; device?: { id: string } };
    };
    const { publicKey, createKey } = newDevice();
    const paired = await post("/api/pair", undefined, { code, name: "a device", publicKey });
    const token = createKey(paired.device?.id ?? "");
    for (let nth = 0; nth < 40; nth++) {
      const { ticket = "" } = await post("/api/tickets", token);
      sockets.push(await deafStream(Number(port), ticket));
    }
    const before = peakMiB(hub.pid);
    const lie = masked({ type: "ack", received: 1e15 });
    const watch = masked({ type: "watch", session: id });
    for (const socket of sockets) socket.write(masked({ type: "hello", version: 1 }));
    // Reads are answered in their order, so that an answer comes after all that was asked before.
    const settled = async () => {
      for (let nth = 0; nth < 3; nth++) {
        const shown = await authorization(url ?? "", token, "GET", "/api/hub");
        const headers = { authorization: shown };
        await (await fetch(`${url}/api/hub`, { headers })).text();
      }
    };
    for (let round = 0; round < 100; round++) {
      for (const socket of sockets)
        if (!socket.destroyed) socket.write(Buffer.concat([watch, lie]));
      await settled();
    }
    const grown = peakMiB(hub.pid) - before;
    console.log(JSON.stringify({ grownMiB: Math.round(grown) }));
    expect(grown).toBeLessThan(280); // 347 where acknowledgements are believed
  } finally {
    for (const socket of sockets) socket.destroy();
    hub.kill("SIGKILL");
    await hub.exited;
  }
});

test("[HH52] three thousand bodies that break off write no line of the log", async () => {
  await using testServer = await openTestServer();
  const head = `POST /api/pair HTTP/1.1\r\nHost: 127.0.0.1:${testServer.port}\r\nContent-Type: application/json\r\n`;
  const breakOff = async (rest: string) => {
    const socket = connect(testServer.port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    await new Promise((resolve) => socket.write(head + rest, resolve));
    const closed = once(socket, "close");
    socket.destroy();
    await closed;
  };
  for (let batch = 0; batch < 30; batch++) {
    const chunked = "Transfer-Encoding: chunked\r\n\r\n10\r\n0123456789abcdef\r\n";
    const counted = 'Content-Length: 1000\r\n\r\n{"code":"';
    await Promise.all(
      Array.from({ length: 100 }, (_, nth) => breakOff(nth % 2 === 0 ? chunked : counted)),
    );
  }
  expect((await testServer.ask("GET", "/health")).status).toBe(200);
  expect(testServer.logged).toHaveLength(0);
});

test.each([
  ["of a length that is said", "Content-Length: 314572800", (piece: Buffer) => piece],
  [
    "that comes in pieces",
    "Transfer-Encoding: chunked",
    (piece: Buffer) => Buffer.concat([Buffer.from("10000\r\n"), piece, Buffer.from("\r\n")]),
  ],
] as const)(
  "[HH52] of a body that is too large %s the rest is not read",
  async (_, length, wrapped) => {
    await using testServer = await openTestServer();
    const most = 300 * 1024 * 1024;
    const piece = wrapped(Buffer.alloc(64 * 1024, 120));
    const socket = connect(testServer.port, "127.0.0.1");
    socket.on("error", () => {});
    let answer = "";
    socket.on("data", (data) => (answer += String(data)));
    const over = { is: false };
    const closed = new Promise<void>((resolve) =>
      socket.once("close", () => {
        over.is = true;
        resolve();
      }),
    );
    await once(socket, "connect");
    socket.write(
      `POST /api/pair HTTP/1.1\r\nHost: 127.0.0.1:${testServer.port}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
    );
    let sent = 0;
    while (sent < most && !over.is) {
      sent += piece.length;
      if (!socket.write(piece)) {
        await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
      }
    }
    expect(sent).toBeLessThan(most / 4);
    await closed;
    if (answer !== "") expect(answer).toStartWith("HTTP/1.1 413");
  },
);

test.each([
  ["GET /health", "Content-Length: 60000", ""],
  ["POST /", "Content-Length: 60000", ""],
  ["POST /api/tickets", "Content-Length: 60000", " "],
  ["POST /api/tickets", "Transfer-Encoding: chunked", "1\r\n \r\n"],
])(
  "[HH76] %s with %s whose body does not arrive is answered, and its connection ends",
  async (what, length, first) => {
    await using testServer = await openTestServer();
    const socket = connect(testServer.port, "127.0.0.1");
    socket.on("error", () => {});
    let answer = "";
    socket.on("data", (data) => (answer += String(data)));
    const closed = once(socket, "close");
    const json = "Content-Type: application/json";
    socket.write(
      `${what} HTTP/1.1\r\nHost: 127.0.0.1:${testServer.port}\r\n${json}\r\n${length}\r\n\r\n${first}`,
    );
    const drip = setInterval(() => socket.write(first || " "), 500);
    await closed;
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
    expect(answer.toLowerCase()).toContain("connection: close");
  },
  30_000,
);

test("[HH76] a small body that no handler reads costs no connection", async () => {
  await using testServer = await openTestServer();
  const head = `Host: 127.0.0.1:${testServer.port}\r\nContent-Type: application/json`;
  const socket = connect(testServer.port, "127.0.0.1");
  let answers = "";
  socket.on("data", (data) => (answers += String(data)));
  for (let nth = 1; nth <= 2; nth++) {
    socket.write(`POST /api/tickets HTTP/1.1\r\n${head}\r\nContent-Length: 2\r\n\r\n{}`);
    await until("it is answered", () => answers.split("HTTP/1.1 401").length === nth + 1);
  }
  socket.destroy();
});

test("[HH50] frames of a stream count as requests, but for acknowledgements", async () => {
  await using testServer = await openTestServer({
    limits: { requestBurst: 20, requestsPerSecond: 0.001 },
  });
  using stream = await enterStream(testServer, await testServer.tokenOf("viewer"));
  const terminal = crypto.randomUUID();
  for (let nth = 0; nth < 100; nth++) stream.send({ type: "ack", received: 1 });
  for (let nth = 0; nth < 100; nth++) stream.send({ type: "terminal-watch", terminal });
  expect((await stream.frame("refused")).detail).toContain("requests a second");
  const watched = testServer.calls.filter(({ name }) => name === "watchTerminal").length;
  expect(watched).toBeLessThan(20);
});

test("[HH53] a log that grows large is set aside while it is written", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "hub.log");
  const file = openLogFile(path, 1000);
  for (let nth = 0; nth < 100; nth++) file.write(`${String(nth).padStart(49, "0")}\n`);
  file.close();
  expect(statSync(path).size).toBeLessThanOrEqual(1050);
  expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(1050);
  const kept = readFileSync(`${path}.1`, "utf8") + readFileSync(path, "utf8");
  const numbers = kept.trim().split("\n").map(Number);
  expect(numbers.at(-1)).toBe(99);
  expect(numbers).toEqual(numbers.map((_, at) => 100 - numbers.length + at));
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("[HH53] a log that another process appends to is copied and emptied when it is large", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "runner.log");
  writeFileSync(path, "x".repeat(100));
  rotateIfLarge(path, 100);
  expect(statSync(path).size).toBe(100);
  rotateIfLarge(path, 99);
  expect(statSync(path).size).toBe(0);
  expect(readFileSync(`${path}.1`, "utf8")).toBe("x".repeat(100));
});

test("[HH53] of one kind of line so many are written a minute; the others are counted", () => {
  let now = 0;
  const limit = new LogRateLimiter(3, () => now);
  const admitted = () => limit.admit("request-failed");
  expect(Array.from({ length: 5 }, admitted)).toEqual([0, 0, 0, undefined, undefined]);
  expect(limit.admit("started")).toBe(0);
  now += 60_000;
  expect([admitted(), admitted()]).toEqual([2, 0]);
});
