import { expect, setDefaultTimeout, test } from "bun:test";
import { connect, type HubClient, memoryStorage, type OutboxStorage } from "@signalbox/client";
import { SESSION } from "./items.ts";
import { problem, scriptedHub, TOKEN } from "./scripted-hub.ts";

setDefaultTimeout(180_000);

const PROMPTS = `POST /api/sessions/${SESSION}/prompts`;

function open(url: string, outbox: OutboxStorage): HubClient {
  const timing = { firstRetryMs: 1, mostRetryMs: 2 };
  return connect({ url, token: TOKEN, timing, tries: 1, outbox });
}
const textOf = (body: unknown) => (body as { text: string }).text;

test("[CL19] what was typed while the hub was away arrives once, in order, also from the next page", async () => {
  const storage = memoryStorage();
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
    taken.set(command ?? "", textOf(body));
    return answers++ % 2 === 0 ? "lost" : Response.json({ id: command });
  });
  using page = open(hub.url, storage);
  await page.outbox.add(SESSION, { text: "four" });
  while (page.outbox.messages.length > 0) await page.outbox.flush();
  expect([...taken.values()]).toEqual(["one", "two", "three", "four"]);
  expect(await storage.list()).toEqual([]);
});

test("[CL19] goes out when the link is live again", async () => {
  const away = scriptedHub();
  await away.stop();
  using client = open(away.url, memoryStorage());
  client.goLive();
  await client.outbox.add(SESSION, { text: "hello" });
  await client.outbox.flush();
  await using hub = scriptedHub(away.port);
  const arrived = new Promise<string>((resolve) => {
    hub.on(PROMPTS, ({ body }) => {
      resolve(textOf(body));
      return Response.json({});
    });
  });
  await hub.welcomed();
  expect(await arrived).toBe("hello");
});

test("[CL20] what the hub refuses is kept with its words, and the next goes on", async () => {
  await using hub = scriptedHub();
  const detail = "This session is archived.";
  hub.on(PROMPTS, ({ body }) =>
    textOf(body) === "first" ? problem(409, "archived", detail) : Response.json({}),
  );
  const storage = memoryStorage();
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
  expect(hub.calls.map(({ body }) => textOf(body))).toEqual(["first", "second", "first"]);
});

test("[CL20] a credential that must be renewed keeps messages waiting", async () => {
  await using hub = scriptedHub();
  hub.on(PROMPTS, () => problem(401, "unauthorized", "This device is not paired."));
  using client = open(hub.url, memoryStorage());
  await client.outbox.add(SESSION, { text: "later" });
  await client.outbox.flush();
  expect(client.outbox.messages[0]?.refused).toBeUndefined();
});

test("[CL19] a hub that cannot store for a while is tried again without being asked", async () => {
  await using hub = scriptedHub();
  let answers = 0;
  const arrived = new Promise<void>((resolve) => {
    hub.on(PROMPTS, () => {
      if (++answers < 3) return problem(503, "cannot-store", "The disk is full.");
      resolve();
      return Response.json({});
    });
  });
  using client = open(hub.url, memoryStorage());
  await client.outbox.add(SESSION, { text: "keep me" });
  await arrived;
  expect(new Set(hub.calls.map(({ command }) => command)).size).toBe(1);
});

test("a message can be thrown away before it is sent", async () => {
  const away = scriptedHub();
  await away.stop();
  using client = open(away.url, memoryStorage());
  const { id } = await client.outbox.add(SESSION, { text: "never mind" });
  await client.outbox.flush();
  await client.outbox.discard(id);
  expect(client.outbox.messages).toEqual([]);
});
