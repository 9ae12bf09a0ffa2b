import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { isRoleAtLeast, type ClientFrame } from "@signalbox/api";
import { clientFrame, deviceRoles } from "@signalbox/api/schemas";
import { LINK_PROTOCOL } from "@signalbox/api/link";
import { enterStream, greeted, openTestServer, openStream } from "./stage.ts";
import { rawRequest } from "@signalbox/testing/raw-request";

setDefaultTimeout(180_000);

/** What of the engine each kind of frame reaches. */
const reaches = {
  "watch-board": "watchBoard",
  "leave-board": "leaveBoard",
  watch: "watch",
  leave: "leave",
  ack: "acknowledge",
  "terminal-watch": "watchTerminal",
  "terminal-leave": "leaveTerminal",
  "changes-watch": "watchChanges",
  "changes-leave": "leaveChanges",
  "terminal-input": "terminals.sendInput",
  "terminal-resize": "terminals.resize",
} as const;
/** These are answered without the engine. */
const reachNothing: ReadonlySet<string> = new Set(["hello", "ping"]);
/** What a viewer may not do: it is refused with a sentence. */
const takesApprover: ReadonlySet<string> = new Set(["terminal-input", "terminal-resize"]);

function sample(type: ClientFrame["type"]): object {
  const input = { data: "ls\r", source: "a page", count: 1, signature: "a signature" };
  const size = { cols: 80, rows: 24 };
  const terminal = randomUUID();
  return { type, version: 1, session: randomUUID(), received: 1, terminal, ...input, ...size };
}

describe("the stream", () => {
  test("[HH9] hello is answered with who the hub is and who you are; frames go to the engine and back", async () => {
    await using testServer = await openTestServer();
    const { token, row } = await testServer.deviceOf("viewer");
    using stream = openStream(testServer.url, await testServer.getTicket(token));
    await stream.opened;
    const session = randomUUID();
    // All at once: nothing that comes before the welcome is lost.
    for (const frame of [
      { type: "hello", version: 1, newer: true },
      { type: "watch-board" },
      { type: "watch", session, epoch: "e", rev: 3 },
      { type: "from-the-future" },
      { type: "leave", session },
    ]) {
      stream.send(frame);
    }
    const welcome = await stream.frame("welcome");
    expect(welcome.device).toMatchObject({ id: row.id, role: "viewer", you: true });
    const own = JSON.stringify(welcome).length;
    const gone = JSON.stringify({ type: "gone", session });
    for (const send of testServer.sends) send(gone);
    expect(await stream.frame("gone")).toEqual({ type: "gone", session });
    stream.send({ type: "ack", received: own + gone.length });
    stream.send({ type: "hello", version: 1 });
    expect((await stream.closed).code).toBe(4400);
    expect(testServer.calls.slice(1)).toEqual([
      { name: "watchBoard", args: [] },
      { name: "watch", args: [session, { short: false, cursor: { epoch: "e", rev: 3 } }] },
      { name: "leave", args: [session] },
      { name: "acknowledge", args: [gone.length] },
    ]);
    expect(testServer.sends.size).toBe(0);
  });

  test("[HH9] another version is refused with a sentence", async () => {
    await using testServer = await openTestServer();
    using stream = openStream(
      testServer.url,
      await testServer.getTicket(await testServer.tokenOf("viewer")),
    );
    await stream.opened;
    stream.send({ type: "hello", version: 99 });
    expect((await stream.frame("refused")).detail).toContain("version 1");
    expect((await stream.closed).code).toBe(4400);
  });

  test("[HH2] every role and every kind of frame: a viewer may do all that frames ask for but type into terminals, which takes an approver; terminals that wait are told to approvers alone", async () => {
    const frames = new Map(
      clientFrame.options.map(({ shape }) => [shape.type.value, sample(shape.type.value)]),
    );
    await using testServer = await openTestServer();
    const driver = await testServer.tokenOf("driver");
    await testServer.ask("POST", "/api/elevations", {
      token: driver,
      body: { name: "a terminal" },
    });
    for (const role of deviceRoles) {
      for (const [type, frame] of frames) {
        using stream = await enterStream(testServer, await testServer.tokenOf(role));
        const before = testServer.calls.length;
        stream.send({ ...frame, role: "admin" });
        stream.send(sample("hello")); // the second hello: it ends after what was sent before
        expect((await stream.closed).code).toBe(4400);
        const reached = testServer.calls.slice(before).map(({ name }) => name);
        expect([role, type, reached]).toEqual([
          role,
          type,
          reachNothing.has(type) || (takesApprover.has(type) && !isRoleAtLeast(role, "approver"))
            ? []
            : [reaches[type as keyof typeof reaches]],
        ]);
        const told = stream.frames.some((each) => each.type === "elevations");
        expect([role, told]).toEqual([role, isRoleAtLeast(role, "approver")]);
      }
    }
    const ticket = await testServer.ask("POST", "/api/tickets", {
      token: await testServer.tokenOf("runner"),
    });
    expect(ticket.status).toBe(403); // a runner has no stream at all
  });

  test("[HH10] a device that is taken away in mid-stream is out at once, with 4401, and hears nothing more", async () => {
    await using testServer = await openTestServer();
    const { token, row } = await testServer.deviceOf("approver");
    using stream = await enterStream(testServer, token);
    using other = await enterStream(testServer, await testServer.tokenOf("viewer"));
    const say = () => {
      for (const send of testServer.sends) send(JSON.stringify({ type: "beat" }));
    };
    say();
    await stream.frame("beat");
    const admin = await testServer.tokenOf("admin");
    const heard = stream.frames.length;
    const removed = await testServer.ask("DELETE", `/api/devices/${row.id}`, { token: admin });
    expect(removed.status).toBe(204);
    expect(testServer.sends.size).toBe(1); // when that is answered the device is out already
    say();
    expect((await stream.closed).code).toBe(4401);
    expect(stream.frames.length).toBe(heard);
    expect((await testServer.ask("GET", "/api/sessions", { token })).status).toBe(401);
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
  });

  test("[HH10] so is a runner", async () => {
    await using testServer = await openTestServer();
    const { token, row } = await testServer.deviceOf("runner");
    const Client = WebSocket as unknown as new (url: string, options: object) => WebSocket;
    const socket = new Client(`${testServer.url.replace("http", "ws")}/api/runner`, {
      protocols: [LINK_PROTOCOL],
      headers: await testServer.shownBy(token, "GET", "/api/runner"),
    });
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    const closed = new Promise<number>((resolve) =>
      socket.addEventListener("close", ({ code }) => resolve(code)),
    );
    await testServer.access.devices.revoke(row.id, null);
    expect(await closed).toBe(4401);
    expect(testServer.links).toMatchObject([{ id: row.id, own: false, closed: true }]);
  });

  test("[HH11] a thousand who show no ticket, and as many broken upgrades, open nothing and keep nobody out", async () => {
    await using testServer = await openTestServer();
    const token = await testServer.tokenOf("viewer");
    const login = async () => {
      using stream = await enterStream(testServer, token);
      expect(stream.frames[0]?.type).toBe("welcome");
    };
    const unknown = Array.from({ length: 1000 }, () => openStream(testServer.url));
    const broken = Array.from({ length: 1000 }, (_, n) =>
      rawRequest(
        testServer.port,
        `GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:${testServer.port}\r\nUpgrade: ${n % 2 ? "websocket" : "\u0001"}\r\nConnection: Upgrade\r\n\r\n`,
      ),
    );
    for (let nth = 0; nth < 3; nth++) await login(); // while the others are being refused
    const ends = await Promise.all(unknown.map(({ closed }) => closed));
    expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([1006]));
    const answers = await Promise.all(broken);
    expect(new Set(answers.map((head) => head.slice(9, 12)))).toEqual(new Set(["401", "400"]));
  });

  test("[HH11] of one who shows no ticket no frame is read, however large it says that it is", async () => {
    await using testServer = await openTestServer();
    const head = `GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:${testServer.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;
    // A frame of 2 MiB, which the server's own limit would let in, sent with the upgrade.
    const frame = `\u0001\u007f\u0000\u0000\u0000\u0000\u0000\u0020\u0000\u0000${"x".repeat(64 * 1024)}`;
    for (const offered of ["", "Sec-WebSocket-Protocol: signalbox.stream.v1, ticket.x\r\n"]) {
      expect(await rawRequest(testServer.port, `${head}${offered}\r\n${frame}`)).toStartWith(
        "HTTP/1.1 401",
      );
    }
    expect(testServer.sends.size).toBe(0);
  });

  test("[HH11] two hundred with tickets come in at once; a wrong or used one is refused", async () => {
    await using testServer = await openTestServer({ limits: { streams: 200 } });
    const token = await testServer.tokenOf("viewer");
    const tickets = await Promise.all(
      Array.from({ length: 200 }, () => testServer.getTicket(token)),
    );
    const streams = await Promise.all(tickets.map((ticket) => greeted(testServer.url, ticket)));
    expect(streams[0]?.socket.protocol).toBe("signalbox.stream.v1");
    for (const stream of streams) stream.socket.close();
    for (const ticket of [tickets[0] ?? "", "x", token]) {
      expect((await openStream(testServer.url, ticket).closed).code).toBe(1006);
    }
  });

  test("[HH11] who shows a ticket and says no hello within five seconds is out, with 1013", async () => {
    await using testServer = await openTestServer();
    using stream = openStream(
      testServer.url,
      await testServer.getTicket(await testServer.tokenOf("viewer")),
    );
    expect((await stream.closed).code).toBe(1013);
    expect(stream.frames).toEqual([]);
  });

  test("[HH12] what is misshapen, too deep, too large or not text closes the socket, and the hub lives", async () => {
    await using testServer = await openTestServer();
    const token = await testServer.tokenOf("viewer");
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const cases: [number, string | Uint8Array<ArrayBuffer>][] = [
      [4400, "not json"],
      [4400, "[]"],
      [4400, "null"],
      [4400, '{"type":1}'],
      [4400, '{"type":"watch","session":"../etc"}'],
      [4400, `{"type":"ack","received":"1"}`],
      [4400, `{"type":"x","deep":${nested(65)}}`],
      [4400, `{"type":"x","deep":${nested(400_000)}}`],
      [4400, new Uint8Array([1, 2, 3])],
      [1009, `{"type":"x","text":"${"x".repeat(1024 * 1024)}"}`],
    ];
    for (const [code, text] of cases) {
      using stream = await enterStream(testServer, token);
      stream.socket.send(text);
      expect([String(text).slice(0, 40), (await stream.closed).code]).toEqual([
        String(text).slice(0, 40),
        code,
      ]);
    }
    using huge = openStream(testServer.url, await testServer.getTicket(token));
    await huge.opened;
    huge.socket.send(`{"type":"hello","newer":"${"x".repeat(64 * 1024)}"}`);
    expect((await huge.closed).code).toBe(1009);
    using endless = openStream(testServer.url, await testServer.getTicket(token));
    await endless.opened;
    endless.socket.send("x".repeat(3 * 1024 * 1024));
    await endless.closed;
    using fine = await enterStream(testServer, token);
    expect(fine.frames[0]?.type).toBe("welcome");
  });

  test("[HH12] whatever is sent, the hub answers the next one", async () => {
    await using testServer = await openTestServer();
    const token = await testServer.tokenOf("viewer");
    const types = ["hello", "watch", "leave", "ack", "watch-board", "leave-board", "x", ""];
    const frame = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.json(),
      fc
        .record({ type: fc.constantFrom(...types), session: fc.anything(), rev: fc.anything() })
        .map((value) => fc.stringify(value)),
      fc
        .dictionary(fc.constantFrom("type", "__proto__", "constructor", "ticket"), fc.jsonValue())
        .map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(frame, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        async (texts, inside) => {
          using stream = inside
            ? await enterStream(testServer, token)
            : openStream(testServer.url, await testServer.getTicket(token));
          await stream.opened;
          for (const text of texts) stream.socket.send(text);
          stream.socket.send("the end");
          expect([4400, 4401]).toContain((await stream.closed).code);
        },
      ),
      { numRuns: 100 },
    );
    using stream = await enterStream(testServer, token);
    expect(stream.frames[0]?.type).toBe("welcome");
    expect(testServer.logged).toEqual([]);
  });

  test("[HH80] a ping is answered with a pong, as the welcome promises", async () => {
    await using testServer = await openTestServer();
    using stream = await enterStream(testServer, await testServer.tokenOf("viewer"));
    expect((await stream.frame("welcome")).answersPings).toBe(true);
    stream.send({ type: "ping" });
    await stream.frame("pong");
  });

  test("[HH13] a beat comes again and again, and a socket that answers no ping is cut", async () => {
    await using testServer = await openTestServer({ beatMs: 20 });
    const token = await testServer.tokenOf("viewer");
    using stream = await enterStream(testServer, token);
    await stream.frame("beat");
    // A peer that reads and writes nothing more: its hello is real, and then it is silent for good.
    const ticket = await testServer.getTicket(token);
    const end = Promise.withResolvers<void>();
    const mask = Buffer.from([0, 0, 0, 0]);
    const hello = Buffer.from(JSON.stringify({ type: "hello", version: 1 }));
    await Bun.connect({
      hostname: "127.0.0.1",
      port: testServer.port,
      socket: {
        open: (socket) =>
          void socket.write(
            `GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:${testServer.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: signalbox.stream.v1, ticket.${ticket}\r\n\r\n`,
          ),
        data: (socket, data) => {
          if (!data.toString("latin1").startsWith("HTTP/1.1 101")) return;
          const head = Buffer.from([0x81, 0x80 | hello.length]);
          socket.write(Buffer.concat([head, mask, hello]));
        },
        close: () => end.resolve(),
      },
    });
    await end.promise;
    expect(stream.socket.readyState).toBe(WebSocket.OPEN);
  });
});
