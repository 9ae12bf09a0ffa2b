import { until } from "@signalbox/testing/until";
import { startModel } from "@signalbox/model";
import { describe, expect, test } from "bun:test";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { type Beat, createBeats } from "../src/reply/beats.ts";
import { pumpStream } from "../src/http/pump.ts";
import { body, events, getFailure, post, getText } from "./client.ts";

/** A client that sends a request and reads nothing until it is told to. */
async function lazyClient(port: number, prompt: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.pause();
  const sent = JSON.stringify(body(prompt));
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nhost: a\r\ncontent-length: ${sent.length}\r\n\r\n${sent}`,
  );
  return socket;
}

/** A flood that tells of every event it makes. */
function* counted(words: number, onMade: () => void): Generator<Beat> {
  const plan = { message: { steps: [{ do: "flood" as const, words }], usage: {} } };
  for (const beat of createBeats(plan, {
    model: "m",
    inputTokens: 1,
    chunkDelayMs: 0,
    newId: String,
  })) {
    onMade();
    yield beat;
  }
}

describe("a flood", () => {
  test("arrives whole, one word a delta", async () => {
    await using model = await startModel({ script: "flood 5000" });
    const deltas = (await events(model, body("hi"))).filter(
      ({ delta, index }) => delta && index === 0,
    );
    expect(deltas).toHaveLength(5000);
    const expected = Array.from({ length: 5000 }, (_, n) => `w${n + 1}`).join(" ");
    expect(getText(deltas)).toBe(expected);
  });
  test("arrives whole at a rate, and at a rate beyond what timers can do", async () => {
    await using model = await startModel();
    expect(getText(await events(model, body("::flood 3 100")))).toBe("w1 w2 w3");
    expect(getText(await events(model, body("::flood 2000 1000000")))).toEndWith("w1999 w2000");
  });
  test("is made only as fast as it is read", async () => {
    let made = 0;
    const writes: string[] = [];
    const full = Object.assign(new EventTarget(), {
      write: (text: string) => writes.push(text) < 3, // the third write finds the buffer full
    });
    const leaving = new AbortController();
    const pumping = pumpStream(
      full as never,
      counted(1e9, () => made++),
      leaving.signal,
    );
    await until("three were written", () => writes.length >= 3);
    const madeWhenFull = made;
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    expect(made).toBe(madeWhenFull);
    leaving.abort();
    expect(await getFailure(pumping)).toBeInstanceOf(Error);
  });
  test("of a million words stops early for a client that does not read", async () => {
    const count = { made: 0 };
    const flood = counted(1_000_000, () => count.made++);
    const answers: ServerResponse[] = [];
    const server = createServer((request, response) => {
      const signal = new AbortController().signal;
      answers.push(response);
      request.resume();
      pumpStream(response, flood, signal).catch(() => {});
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const client = await lazyClient(port, "hi");
    await until("the connection is full and no more is made", async () => {
      const before = count.made;
      for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
      const isFull = answers.some(({ writableNeedDrain }) => writableNeedDrain);
      return count.made === before && (isFull || count.made === 1_000_000);
    });
    expect(count.made).toBeLessThan(500_000);
    client.destroy();
    server.closeAllConnections();
    server.close();
  }, 180_000);
  test("leaves others their turn", async () => {
    await using model = await startModel();
    const flood = await post(model, body("::flood 1000000"));
    const reading = flood.text();
    expect(getText(await events(model, body("::say quick")))).toBe("quick");
    expect(await reading).toContain("w999999 ");
  }, 180_000);
});

test("a long line is one delta of that many bytes", async () => {
  await using model = await startModel({ script: "long 3000000" });
  const deltas = (await events(model, body("hi"))).filter(
    ({ type }) => type === "content_block_delta",
  );
  expect(deltas).toHaveLength(1);
  expect(getText(deltas)).toBe("x".repeat(3_000_000));
});

describe("a cut", () => {
  test("ends the connection in the middle of the stream, and the next try is whole", async () => {
    await using model = await startModel({ script: "say before\ncut\nsay after" });
    const response = await post(model, body("hi"));
    expect(response.status).toBe(200);
    expect(await getFailure(response.text())).toBeInstanceOf(Error);
    expect(getText(await events(model, body("hi")))).toBe("beforeafter");
  });
  test("comes after every byte that stands before it", async () => {
    await using model = await startModel();
    const ends = Array.from({ length: 20 }, async (_, n) => {
      const client = await lazyClient(model.port, `::flood 5000\n::say end of ${n}\n::cut`);
      let received = "";
      client.on("data", (chunk) => (received += chunk)).on("error", () => {});
      await once(client.resume(), "close");
      expect(received).toContain("w5000");
      expect(received).toContain('"content_block_stop","index":1');
      expect(received).not.toContain("message_stop");
    });
    await Promise.all(ends);
  });
  test("ends a request without a stream too", async () => {
    await using model = await startModel({ script: "cut\nsay after" });
    const whole = body("hi", { stream: false });
    expect(await getFailure(post(model, whole).then((response) => response.text()))).toBeInstanceOf(
      Error,
    );
    expect((await post(model, whole)).status).toBe(200);
  });
});

describe("a stall", () => {
  test("lets the first words through and then nothing, until the server closes", async () => {
    const model = await startModel({ script: "say begun\nstall" });
    const reader = (await post(model, body("hi"))).body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain("begun");
    const next = reader?.read().then(
      ({ done }) => (done ? "ended" : "more"),
      () => "ended",
    );
    await model.close();
    expect(await next).toBe("ended");
  });
  test("at the start sends not even a status", async () => {
    const model = await startModel({ script: "stall" });
    const answer = post(model, body("hi")).then(
      () => "answered",
      () => "closed",
    );
    await until("the request has come", () => model.requests.length > 0);
    await model.close();
    expect(await answer).toBe("closed");
  });
  test("ends when the client leaves", async () => {
    await using model = await startModel({ script: "stall" });
    const leaving = new AbortController();
    const answer = post(model, body("hi"), { signal: leaving.signal }).catch(() => "left");
    await until("the request has come", () => model.requests.length > 0);
    leaving.abort();
    expect(await answer).toBe("left");
  });
});

test("a client that leaves in the middle of its request harms nobody", async () => {
  await using model = await startModel();
  const socket = connect(model.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write("POST /v1/messages HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n{");
  expect(getText(await events(model, body("::say meanwhile")))).toBe("meanwhile");
  socket.destroy();
  await once(socket, "close");
  expect(getText(await events(model, body("::say fine")))).toBe("fine");
});

describe("closing", () => {
  test("ends floods and pauses at once, and may be asked for twice", async () => {
    const model = await startModel();
    const clients = [
      await lazyClient(model.port, "::flood 1000000"),
      await lazyClient(model.port, "::wait 600000"),
    ];
    await until("both requests have come", () => model.requests.length >= 2);
    const ended = clients.map((client) => once(client.resume(), "close").catch(() => "reset"));
    await Promise.all([model.close(), model.close()]);
    await Promise.all(ended);
    expect(await getFailure(fetch(model.url))).toBeInstanceOf(Error);
  });
});
