import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  connect,
  type ConnectOptions,
  copyBoard,
  copySession,
  type HubClient,
  type ConnectionState,
  SessionView,
} from "@signalbox/client";
import { itemsFrame, notice, SESSION, spoken, textFrame } from "./items.ts";
import { EPOCH, problem, scriptedHub, TOKEN } from "./scripted-hub.ts";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function openHub(port?: number) {
  const hub = scriptedHub(port);
  ends.push(() => hub.stop());
  return hub;
}

function openClient(url: string, options: Partial<ConnectOptions> = {}): HubClient {
  const timing = { firstRetryMs: 5, mostRetryMs: 20, ...options.timing };
  const client = connect({ url, token: TOKEN, ...options, timing });
  ends.push(() => client.close());
  return client;
}

/** Waits until a condition holds, and checks it whenever something changes. */
function announced(
  news: (listener: () => void) => () => void,
  holds: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const stop = news(() => look());
    const look = () => {
      if (!holds()) return;
      stop();
      resolve();
    };
    look();
  });
}
const reaches = (client: HubClient, kind: ConnectionState["kind"]) =>
  announced(
    (listener) => client.onState(listener),
    () => client.state.kind === kind,
  );
const board = (rev: number) => ({
  type: "board" as const,
  rev,
  reset: true,
  sessions: [],
  asks: [],
  gone: [],
});

describe("the live link", () => {
  test("[CL8] opens with a ticket as a subprotocol, and is live when everything that is watched has been loaded", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    expect(client.state.kind).toBe("closed");
    const watch = client.watchBoard();
    expect(client.state.kind).toBe("connecting");
    const connection = await hub.connection();
    expect(hub.offered).toEqual(["signalbox.stream.v1, ticket.ticket-1"]);
    expect(await connection.take("hello")).toEqual({ type: "hello", version: 1 });
    connection.welcome();
    await connection.take("watch-board");
    await reaches(client, "catching-up");
    connection.send(board(1));
    await reaches(client, "live");
    expect(watch.view.state).toBe("ready");
    expect(client.welcome?.auditHead).toBe("head");
    const asked = hub.calls.find(({ path }) => path === "/api/tickets");
    expect(asked?.authorization).toBe(`Bearer ${TOKEN}`);
  });

  test("[CL22] the welcome tells how far the hub's clock is ahead of this machine's", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    client.goLive();
    expect(client.clockAheadMs).toBe(0);
    const connection = await hub.connection();
    await connection.take("hello");
    const hours = 2 * 3_600_000;
    connection.welcome(Date.now() + hours);
    await reaches(client, "live");
    expect(Math.abs(client.clockAheadMs - hours)).toBeLessThan(hours / 2);
  });

  test("[CL9] connects again with a new ticket and sends its revision, while the screen keeps its contents", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    const watch = client.watchSession(SESSION);
    const first = await hub.welcomed();
    expect(await first.take("watch")).toEqual({ type: "watch", session: SESSION, short: true });
    first.send(itemsFrame([notice(1)], { reset: { older: false }, rev: 7 }));
    await reaches(client, "live");
    const item = watch.view.item("i1");
    first.close();
    await reaches(client, "offline");
    expect(watch.view.ids).toEqual(["i1"]);
    const second = await hub.connection();
    await second.take("hello");
    expect(hub.offered[1]).toEndWith("ticket.ticket-2");
    second.welcome();
    const again = await second.take("watch");
    expect(again).toEqual({ type: "watch", session: SESSION, short: true, epoch: EPOCH, rev: 7 });
    second.send(itemsFrame([notice(2)], { rev: 9 }));
    await reaches(client, "live");
    expect(watch.view.ids).toEqual(["i1", "i2"]);
    expect(watch.view.item("i1")).toBe(item as never);
  });

  test("[CL9] a hub that restarts on the same port is reached again", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    client.watchBoard();
    await hub.welcomed();
    await hub.stop();
    await reaches(client, "offline");
    const state = client.state as Extract<ConnectionState, { kind: "offline" }>;
    const later = openHub(hub.port);
    const connection = await later.welcomed();
    connection.send(board(1));
    await reaches(client, "live");
    expect(state.since).toBeGreaterThan(0);
    expect(state.why).not.toBe("");
  });

  test("[CL10] a link without any frame is given up", async () => {
    const hub = openHub();
    const client = openClient(hub.url, { timing: { silenceMs: 60, checkMs: 10 } });
    client.goLive();
    await hub.welcomed(); // After this the hub sends nothing more.
    await reaches(client, "offline");
    expect(client.state).toMatchObject({ why: "The hub has gone silent." });
    await hub.welcomed();
  });

  test("[CL10] a connection without a welcome is given up", async () => {
    const hub = openHub();
    const client = openClient(hub.url, { timing: { dialMs: 200, checkMs: 10 } });
    client.goLive();
    await hub.connection();
    await reaches(client, "offline");
    await hub.welcomed();
  });

  test("[CL30] a hub that leaves pings unanswered is unresponsive until it sends something", async () => {
    const hub = openHub();
    let visible = false;
    const client = openClient(hub.url, { timing: { checkMs: 10 }, isVisible: () => visible });
    client.goLive();
    const connection = await hub.connection();
    await connection.take("hello");
    connection.welcome(Date.now(), true);
    await reaches(client, "live");
    client.watchBoard();
    await connection.take("watch-board");
    connection.send(board(1));
    await reaches(client, "live");
    expect(connection.received.some(({ type }) => type === "ping")).toBe(false); // It is not visible.
    visible = true;
    for (let round = 0; round < 5; round++) {
      await connection.take("ping");
      connection.send({ type: "pong" });
    }
    await reaches(client, "unresponsive"); // From here on no ping is answered.
    client.watchSession(SESSION);
    await connection.take("watch");
    expect(client.state.kind).toBe("unresponsive");
    connection.send({ type: "pong" });
    await reaches(client, "catching-up");
    connection.send(itemsFrame([notice(1)], { reset: { older: false } }));
    await reaches(client, "live");
    expect(connection.closed).toBe(false);
  });

  test("[CL30] a hub of an older version, which answers no pings, is not asked", async () => {
    const hub = openHub();
    const client = openClient(hub.url, { timing: { checkMs: 5, silenceMs: 100 } });
    const states: string[] = [];
    client.onState(() => states.push(client.state.kind));
    client.goLive();
    const connection = await hub.welcomed();
    await reaches(client, "offline"); // Many checks have passed by then.
    expect(connection.received.map(({ type }) => type)).not.toContain("ping");
    expect(states).not.toContain("unresponsive");
  });

  test("[CL10] a machine that was asleep connects again at once", async () => {
    const hub = openHub();
    const client = openClient(hub.url, { timing: { checkMs: 5, firstRetryMs: 600_000 } });
    client.goLive();
    await hub.welcomed();
    await reaches(client, "live");
    const { now } = Date;
    ends.push(() => (Date.now = now));
    // The wall clock jumps ahead, and the monotonic clock does not.
    Date.now = () => now() + 3_600_000;
    await hub.welcomed();
    await reaches(client, "live");
  });

  test("[CL11] a refused credential ends the attempts until the program asks for another", async () => {
    const hub = openHub();
    let token = "old";
    const client = openClient(hub.url, { credentials: { get: () => ({ token }) } });
    hub.on("POST /api/tickets", ({ authorization }) =>
      authorization === "Bearer new"
        ? Response.json({ ticket: "t" })
        : problem(401, "unauthorized", "This device is not paired."),
    );
    client.goLive();
    await reaches(client, "refused");
    expect(client.state).toEqual({ kind: "refused", why: "This device is not paired." });
    token = "new";
    client.goLive();
    const connection = await hub.welcomed();
    await reaches(client, "live");
    connection.close(4401, "This device was revoked.");
    await reaches(client, "refused");
    expect(client.state).toEqual({ kind: "refused", why: "This device was revoked." });
  });

  test("frames that this build does not know are ignored", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    const watch = client.watchSession(SESSION);
    const connection = await hub.welcomed();
    connection.send({ type: "fireworks" });
    connection.send(itemsFrame([notice(1)], { reset: { older: false } }));
    await reaches(client, "live");
    expect(watch.view.ids).toEqual(["i1"]);
  });

  test("[CL12] acknowledges how much of the stream it has applied, counted from the start of the connection", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    const watch = client.watchSession(SESSION);
    const connection = await hub.welcomed();
    const big = itemsFrame([notice(1, 1, "x".repeat(200_000))], { reset: { older: false } });
    connection.send(big);
    let received = 0;
    while (received < JSON.stringify(big).length) {
      ({ received } = await connection.take("ack"));
    }
    expect(watch.view.ids).toEqual(["i1"]);
    connection.close();
    const second = await hub.welcomed();
    second.send(itemsFrame([], { rev: 2 }));
    expect((await second.take("ack")).received).toBeLessThan(1_000);
  });

  test("[CL12] a client that has not applied a frame does not acknowledge it", async () => {
    const hub = openHub();
    const work: (() => void)[] = [];
    const client = openClient(hub.url, { schedule: (job) => void work.push(job) });
    client.watchSession(SESSION);
    const connection = await hub.welcomed();
    const frame = itemsFrame([notice(1, 1, "x".repeat(100_000))], { reset: { older: false } });
    connection.send(frame);
    connection.send({ type: "gone", session: HUB_OF_NOBODY });
    await until(() => client.state.kind === "live");
    expect(connection.received.some(({ type }) => type === "ack")).toBe(false);
    for (const job of work.splice(0)) job();
    expect((await connection.take("ack")).received).toBeGreaterThan(100_000);
  });
});

const HUB_OF_NOBODY = "33333333-3333-4333-8333-333333333333";

describe("a copy of an earlier visit", () => {
  test("[CL21] is shown at once, and the hub is asked for the changes since", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    const seen = new SessionView(SESSION);
    seen.apply(itemsFrame([notice(1), notice(2)], { rev: 7, reset: { older: false } }));
    const copy = copySession(seen, 1);
    expect(copy).toMatchObject({ rev: 7, older: true, items: [{ id: "i2" }] });
    const watch = client.watchSession(SESSION, copy);
    expect(watch.view.ids).toEqual(["i2"]);
    expect(watch.view.hasOlder).toBe(true);
    const connection = await hub.welcomed();
    const asked = await connection.take("watch");
    expect(asked).toEqual({ type: "watch", session: SESSION, short: true, epoch: EPOCH, rev: 7 });
  });

  test("[CL21] of the board has no asks, and is replaced by the hub's state", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    const watch = client.watchBoard({ rev: 3, sessions: [], projects: [], runners: [] });
    expect([watch.view.state, watch.view.asks.length]).toEqual(["ready", 0]);
    expect(watch.view.isConfirmed).toBe(false);
    const connection = await hub.welcomed();
    await connection.take("watch-board");
    connection.send(board(9));
    await reaches(client, "live");
    expect(copyBoard(watch.view)?.rev).toBe(9);
    expect(watch.view.isConfirmed).toBe(true);
  });
});

describe("watched views", () => {
  test("[CL13] several changes are announced once", async () => {
    const hub = openHub();
    const work: (() => void)[] = [];
    const client = openClient(hub.url, { schedule: (job) => void work.push(job) });
    const watch = client.watchSession(SESSION);
    let told = 0;
    watch.subscribe(() => told++);
    const connection = await hub.welcomed();
    connection.send(itemsFrame([spoken(1, "")], { reset: { older: false } }));
    for (let at = 0; at < 100; at++) connection.send(textFrame(1, at, "x"));
    const text = () => (watch.view.item("i1") as { text?: string } | undefined)?.text;
    await until(() => text()?.length === 100);
    expect(told).toBe(0);
    for (const job of work.splice(0)) job();
    expect([told, watch.version]).toEqual([1, 1]);
  });

  test("[CL31] a text alone continues the last one, whichever session that was for", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    const watch = client.watchSession(SESSION);
    const connection = await hub.welcomed();
    connection.send("of an earlier connection");
    connection.send(itemsFrame([spoken(1, ""), spoken(2, "")], { reset: { older: false } }));
    connection.send(textFrame(1, 0, "one "));
    connection.send("two ");
    connection.send(textFrame(2, 0, "other "));
    connection.send("text");
    connection.send(textFrame(1, 8, "three"));
    connection.send("!");
    const text = (id: string) => (watch.view.item(id) as { text?: string } | undefined)?.text;
    await until(() => text("i1") === "one two three!");
    expect(text("i2")).toBe("other text");
  });

  test("[CL5] a gap in live text is closed by reading the item again", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    const watch = client.watchSession(SESSION);
    const connection = await hub.welcomed();
    let reads = 0;
    hub.on(`GET /api/sessions/${SESSION}/items/i1`, () => {
      reads++;
      // The hub may lag behind what it sends, so the client asks once more.
      return Response.json(reads === 1 ? spoken(1, "one ") : spoken(1, "one two "));
    });
    connection.send(itemsFrame([spoken(1, "one ")], { reset: { older: false } }));
    connection.send(textFrame(1, 8, "three"));
    await announced(
      (listener) => watch.subscribe(listener),
      () => (watch.view.item("i1") as { text?: string } | undefined)?.text === "one two three",
    );
    expect(reads).toBe(2);
  });

  test("[CL5] an item that has outgrown its frame is read with its body", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    const watch = client.watchSession(SESSION);
    const connection = await hub.welcomed();
    const whole = "w".repeat(40_000);
    const blob = "a".repeat(64);
    const cut = { $blob: blob, bytes: 40_000, characters: 40_000, head: "w", tail: "w" };
    hub.on(`GET /api/sessions/${SESSION}/items/i1`, () =>
      Response.json(spoken(1, cut as unknown as string)),
    );
    hub.on(`GET /api/blobs/${blob}`, () => new Response(whole));
    connection.send(itemsFrame([spoken(1, cut as unknown as string)], { reset: { older: false } }));
    connection.send(textFrame(1, 40_000, "!"));
    await announced(
      (listener) => watch.subscribe(listener),
      () => (watch.view.item("i1") as { text?: unknown } | undefined)?.text === `${whole}!`,
    );
  });

  test("[CL7] older items are loaded on demand", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    const watch = client.watchSession(SESSION);
    hub.on(`GET /api/sessions/${SESSION}/items`, ({ query }) =>
      Response.json({
        items: [notice(Number(query["before"]) - 1)],
        older: query["before"] === "9",
      }),
    );
    const connection = await hub.welcomed();
    connection.send(itemsFrame([notice(9)], { reset: { older: true } }));
    await reaches(client, "live");
    expect(await watch.loadOlder(1)).toBe(true);
    expect(await watch.loadOlder(1)).toBe(false);
    expect(watch.view.ids).toEqual(["i7", "i8", "i9"]);
    expect(
      hub.calls.filter(({ path }) => path.endsWith("/items")).map(({ query }) => query),
    ).toEqual([
      { before: "9", limit: "1" },
      { before: "8", limit: "1" },
    ]);
  });

  test("[CL14] two watchers share one subscription, which ends with the last", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    const [one, two] = [client.watchSession(SESSION), client.watchSession(SESSION)];
    expect(one.view).toBe(two.view);
    const connection = await hub.welcomed();
    await connection.take("watch");
    one.close();
    one.close();
    const other = client.watchBoard();
    await connection.take("watch-board");
    expect(connection.received).toEqual([]);
    two.close();
    expect(await connection.take("leave")).toEqual({ type: "leave", session: SESSION });
    other.close();
    await connection.take("leave-board");
    await reaches(client, "live");
  });

  test("[CL14] a frame of a session that is not watched changes nothing", async () => {
    const hub = openHub();
    const client = openClient(hub.url);
    const watch = client.watchSession(SESSION);
    const connection = await hub.welcomed();
    connection.send({ ...itemsFrame([notice(1)]), session: HUB_OF_NOBODY });
    connection.send(itemsFrame([notice(2)], { reset: { older: false } }));
    await reaches(client, "live");
    expect(watch.view.ids).toEqual(["i2"]);
  });
});
