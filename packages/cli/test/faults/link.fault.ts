import { expect, test } from "bun:test";
import { cutLink } from "./cut-link.ts";
import { openProxy } from "./proxy.ts";
import { Room } from "./room.ts";
import { freshItems, shown, when } from "./seen.ts";

const offline = (client: { state: { kind: string } }) => client.state.kind === "offline";
const live = (client: { state: { kind: string } }) => client.state.kind === "live";

test("the runner's link is cut for a minute: nothing is lost, doubled or reordered", async () => {
  await using room = await Room.open();
  const found = await cutLink(room, 60_000);
  console.log(JSON.stringify(found));
  expect(found).toMatchObject({ lost: 0, doubled: 0, reordered: 0 });
});

test.each([
  ["streamed words", [{ stream: 100_000 }, { tell: "the end" }]],
  ["whole messages", [{ texts: 5000, size: 50 }, { lines: 95_000 }, { tell: "the end" }]],
])(
  "a client that was offline for 100,000 events of %s shows what a fresh one shows",
  async (_, steps) => {
    await using room = await Room.open({ environment: { RECORD: "" } });
    using proxy = await openProxy(Number(new URL(room.url).port));
    const client = room.client(proxy.url);
    const { id } = await room.session([{ texts: 20 }]);
    using watch = client.watchSession(id);
    using board = client.watchBoard();
    await room.idle(id, 1);
    await when(watch, () => watch.view.ids.length > 20);
    proxy.cut();
    await when({ subscribe: (listener) => client.onState(listener) }, () => offline(client));
    await room.send(id, steps);
    await room.idle(id, 2);
    proxy.restore();
    await when({ subscribe: (listener) => client.onState(listener) }, () => live(client));
    const { rev } = await room.admin.session(id);
    await when(watch, () => watch.view.cursor?.rev === rev);
    expect(await shown(watch)).toEqual(await freshItems(room.client(), id));
    expect(board.view.session(id)?.summary.turns).toBe(2);
  },
  600_000,
);

test("a client whose connection swallows everything finds that out, and its message arrives once", async () => {
  await using room = await Room.open();
  using proxy = await openProxy(Number(new URL(room.url).port));
  const client = room.client(proxy.url);
  const { id } = await room.session([{ tell: "first" }]);
  using watch = client.watchSession(id);
  await room.idle(id, 1);
  await when(watch, () => watch.view.ids.length > 1);
  proxy.swallow();
  const since = performance.now();
  const sent = client.outbox.add(id, { text: JSON.stringify([{ tell: "typed in the dark" }]) });
  await when({ subscribe: (listener) => client.onState(listener) }, () => offline(client));
  const noticed = Math.round(performance.now() - since);
  console.log(JSON.stringify({ halfOpenNoticedMs: noticed }));
  expect(noticed).toBeLessThan(36_000);
  proxy.restore();
  await sent;
  await room.idle(id, 2);
  await when(watch, () =>
    watch.view.ids.some((item) => JSON.stringify(watch.view.item(item)).includes("in the dark")),
  );
  const items = await freshItems(room.client(), id);
  expect(
    items.filter((item) => item.kind === "text" && item.text === "typed in the dark"),
  ).toHaveLength(1);
}, 300_000);

test("a runner whose connection swallows everything finds that out, and loses nothing", async () => {
  await using room = await Room.open();
  const { id } = await room.session([{ tell: "first" }]);
  await room.idle(id, 1);
  await room.send(id, [{ stream: 200, everyMs: 10 }, { tell: "said in the dark" }]);
  using board = room.admin.watchBoard();
  await when(board, () => board.view.session(id)?.summary.status === "active");
  room.link.swallow();
  const since = performance.now();
  await room.untilRunner(false);
  console.log(JSON.stringify({ halfOpenRunnerNoticedMs: Math.round(performance.now() - since) }));
  expect(performance.now() - since).toBeLessThan(36_000);
  room.link.restore();
  await room.idle(id, 2);
  const items = await freshItems(room.client(), id);
  expect(
    items.filter((item) => item.kind === "text" && item.text === "said in the dark"),
  ).toHaveLength(1);
}, 300_000);
