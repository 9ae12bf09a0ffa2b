import { expect, setDefaultTimeout, test } from "bun:test";
import {
  connect,
  type HubClient,
  createMemoryStorage,
  type OutboxStorage,
} from "@signalbox/client";
import { SESSION } from "./items.ts";
import { SerialQueue } from "../src/outbox/serial-queue.ts";
import { problem, scriptedHub, TOKEN } from "./scripted-hub.ts";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

const PROMPTS = `POST /api/sessions/${SESSION}/prompts`;

function open(url: string, outbox: OutboxStorage): HubClient {
  const timing = { firstRetryMs: 1, mostRetryMs: 2 };
  return connect({ url, token: TOKEN, timing, tries: 1, outbox });
}
const getText = (body: unknown) => (body as { text: string }).text;

test("[CL19] messages that were typed while the hub was away arrive once and in order, even after a reload", async () => {
  const storage = createMemoryStorage();
  const away = scriptedHub();
  await away.stop();
  {
    using page = open(away.url, storage);
    for (const text of ["one", "two", "three"]) await page.outbox.add(SESSION, { text });
    await page.outbox.flush();
    expect(page.outbox.messages.map(({ prompt }) => prompt.text)).toEqual(["one", "two", "three"]);
  }
  await using hub = scriptedHub(away.port);
  const taken = new Map<string, string>();
  let answers = 0;
  hub.on(PROMPTS, ({ command, body }) => {
    taken.set(command ?? "", getText(body));
    return answers++ % 2 === 0 ? "lost" : Response.json({ id: command });
  });
  using page = open(hub.url, storage);
  await page.outbox.add(SESSION, { text: "four" });
  while (page.outbox.messages.length > 0) await page.outbox.flush();
  expect([...taken.values()]).toEqual(["one", "two", "three", "four"]);
  expect(await storage.list()).toEqual([]);
});

test("[CL19] messages are sent when the link is live again", async () => {
  const away = scriptedHub();
  await away.stop();
  using client = open(away.url, createMemoryStorage());
  client.goLive();
  await client.outbox.add(SESSION, { text: "hello" });
  await client.outbox.flush();
  await using hub = scriptedHub(away.port);
  const arrived = new Promise<string>((resolve) => {
    hub.on(PROMPTS, ({ body }) => {
      resolve(getText(body));
      return Response.json({});
    });
  });
  await hub.welcomed();
  expect(await arrived).toBe("hello");
});

test("[CL20] a message that the hub refuses is kept with the hub's error, and the next one is sent", async () => {
  await using hub = scriptedHub();
  const detail = "This session is archived.";
  hub.on(PROMPTS, ({ body }) =>
    getText(body) === "first" ? problem(409, "archived", detail) : Response.json({}),
  );
  const storage = createMemoryStorage();
  using client = open(hub.url, storage);
  const first = await client.outbox.add(SESSION, { text: "first" });
  await client.outbox.add(SESSION, { text: "second" });
  await client.outbox.flush();
  expect(client.outbox.messages).toEqual([{ ...first, refused: detail }]);
  expect(await storage.list()).toEqual([{ ...first, refused: detail }]);
  hub.on(PROMPTS, () => Response.json({}));
  await client.outbox.again(first.id);
  await client.outbox.flush();
  expect(client.outbox.messages).toEqual([]);
  expect(hub.calls.map(({ body }) => getText(body))).toEqual(["first", "second", "first"]);
});

test("[CL20] messages wait while the credential must be renewed", async () => {
  await using hub = scriptedHub();
  hub.on(PROMPTS, () => problem(401, "unauthorized", "This device is not paired."));
  using client = open(hub.url, createMemoryStorage());
  await client.outbox.add(SESSION, { text: "later" });
  await client.outbox.flush();
  expect(client.outbox.messages[0]?.refused).toBeUndefined();
});

test("[CL19] sending is retried automatically when the hub could not store for a while", async () => {
  await using hub = scriptedHub();
  let answers = 0;
  const arrived = new Promise<void>((resolve) => {
    hub.on(PROMPTS, () => {
      if (++answers < 3) return problem(503, "cannot-store", "The disk is full.");
      resolve();
      return Response.json({});
    });
  });
  using client = open(hub.url, createMemoryStorage());
  await client.outbox.add(SESSION, { text: "keep me" });
  await arrived;
  expect(new Set(hub.calls.map(({ command }) => command)).size).toBe(1);
});

test("[CL23] a message can be withdrawn before it is sent", async () => {
  const away = scriptedHub();
  await away.stop();
  using client = open(away.url, createMemoryStorage());
  const message = await client.outbox.add(SESSION, { text: "never mind" });
  await client.outbox.flush();
  expect(await client.outbox.takeBack(message)).toBe(true);
  expect(client.outbox.messages).toEqual([]);
});

const promptPath = (id: string) => `/api/sessions/${SESSION}/prompts/${id}`;
const itemPath = (id: string) => `/api/sessions/${SESSION}/items/${id}`;
const gone = () => problem(404, "no-such-prompt", "This message is not waiting.");

test("[CL23] a message that is being sent is removed from the hub's queue, or the agent has it", async () => {
  for (const isTaken of [false, true]) {
    await using hub = scriptedHub();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: answer, resolve: answered } = Promise.withResolvers<Response>();
    hub.on(PROMPTS, () => {
      arrive();
      return answer;
    });
    using client = open(hub.url, createMemoryStorage());
    const message = await client.outbox.add(SESSION, { text: "wait" });
    await arrived;
    hub.on(`DELETE ${promptPath(message.id)}`, () =>
      isTaken
        ? problem(409, "already-sent", "The agent has already received this message.")
        : new Response(null, { status: 204 }),
    );
    const back = client.outbox.takeBack(message);
    answered(Response.json({ id: message.id }));
    expect(await back).toBe(!isTaken);
    expect(hub.calls.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
    expect(client.outbox.messages).toEqual([]);
  }
});

test("[CL23] a message whose upload is aborted is not sent", async () => {
  await using hub = scriptedHub();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  hub.on(PROMPTS, () => {
    arrive();
    return new Promise<Response>(() => {});
  });
  using client = open(hub.url, createMemoryStorage());
  const message = await client.outbox.add(SESSION, { text: "a large one" });
  await arrived;
  expect(await client.outbox.takeBack(message, { stop: true })).toBe(true);
  expect(client.outbox.messages).toEqual([]);
});

test("[CL23] a message whose answer was lost is withdrawn at once, and it is reported later if it had arrived", async () => {
  for (const had of [true, false]) {
    await using hub = scriptedHub();
    hub.on(PROMPTS, () => "lost");
    using client = open(hub.url, createMemoryStorage());
    const message = await client.outbox.add(SESSION, { text: "lost" });
    await client.outbox.flush();
    hub.on(`DELETE ${promptPath(message.id)}`, () => gone());
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    hub.on(`GET ${itemPath(message.id)}`, () => {
      ask();
      return had ? Response.json({ id: message.id }) : gone();
    });
    let arrived = 0;
    expect(await client.outbox.takeBack(message, { onArrived: () => arrived++ })).toBe(true);
    await asked;
    await client.outbox.flush();
    expect(arrived).toBe(had ? 1 : 0);
  }
});

/** Creates one storage for several windows, as a browser has it. */
function sharedStorage(): () => OutboxStorage {
  const kept = createMemoryStorage();
  const listeners = new Set<() => void>();
  const turns = new SerialQueue();
  return () => {
    let own: (() => void) | undefined;
    const tell = () => listeners.forEach((listener) => listener !== own && listener());
    return {
      list: () => kept.list(),
      put: (message) => kept.put(message).then(tell),
      remove: (id) => kept.remove(id).then(tell),
      onChange: (listener) => {
        own = listener;
        listeners.add(listener);
      },
      exclusively: (work) => turns.do(work),
    };
  };
}

test("[CL23] a message that one window withdraws or sends is neither sent nor listed by another", async () => {
  const window = sharedStorage();
  const away = scriptedHub();
  await away.stop();
  using one = open(away.url, window());
  using other = open(away.url, window());
  const message = await one.outbox.add(SESSION, { text: "typed in one" });
  await one.outbox.add(SESSION, { text: "and this" });
  await until(() => other.outbox.messages.length >= 2);
  expect(await other.outbox.takeBack(message)).toBe(true);
  await using hub = scriptedHub(away.port);
  hub.on(PROMPTS, () => Response.json({}));
  hub.on(`DELETE ${promptPath(message.id)}`, () => gone()); // An attempt may have been lost.
  hub.on(`GET ${itemPath(message.id)}`, () => gone());
  while (one.outbox.messages.length > 0) await one.outbox.flush();
  await other.outbox.flush();
  expect(other.outbox.messages).toEqual([]);
  const sent = hub.calls.filter(({ method }) => method === "POST");
  expect(sent.map(({ body }) => getText(body))).toEqual(["and this"]);
});
