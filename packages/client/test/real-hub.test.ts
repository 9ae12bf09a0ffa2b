import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Item, createMemoryStorage, type SessionWatch } from "@signalbox/client";
import { pairDevice } from "@signalbox/testing/paired-device";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

let hub: HubStage;
beforeAll(async () => void (hub = await openHubStage()));
afterAll(() => hub[Symbol.asyncDispose]());

const getItems = ({ view }: SessionWatch): Item[] => view.ids.flatMap((id) => view.item(id) ?? []);

function reaches(watch: SessionWatch, holds: (items: Item[]) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => holds(getItems(watch)) && resolve();
    watch.subscribe(look);
    look();
  });
}
const same = (stored: readonly Item[]) => (items: Item[]) => Bun.deepEquals(items, [...stored]);
const turns = (items: Item[]) => items.filter(({ kind }) => kind === "turn-end").length;
const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(" ");

async function begin(text: string): Promise<string> {
  return (await hub.admin.createSession({ folder: hub.folder, prompt: { text } })).id;
}

describe("with the real hub and the real Claude Code", () => {
  test("text grows on the screen and ends as the stored text", async () => {
    const id = await begin(`Go.\n::say ${words(3_000)}`);
    using watch = hub.admin.watchSession(id);
    const lengths = new Set<number>();
    watch.subscribe(() => {
      for (const item of getItems(watch)) {
        if (item.kind === "text" && item.live) lengths.add(item.text.length);
      }
    });
    await reaches(watch, (items) => turns(items) === 1);
    expect(lengths.size).toBeGreaterThan(0);
    await hub.admin.stop(id); // Nothing changes any more from here.
    const { items } = await hub.admin.items(id);
    await reaches(watch, same(items));
  });

  test("[CL9] a client that was connected when the hub was killed shows the same as a new one", async () => {
    const id = await begin("Go.\n::say before\n::wait 1500\n::say after");
    using watch = hub.admin.watchSession(id);
    await reaches(watch, (items) => items.some((item) => item.kind === "prompt"));
    hub.serving.child.kill("SIGKILL");
    await hub.serving.child.exited;
    await hub.serveAgain();
    await reaches(watch, (items) => turns(items) === 1);
    using fresh = connect({ url: hub.admin.url, device: hub.browser.credential });
    using other = fresh.watchSession(id);
    await reaches(other, (items) => turns(items) === 1);
    await hub.admin.stop(id);
    const { items } = await hub.admin.items(id);
    await reaches(watch, same(items));
    await reaches(other, same(items));
  });

  test("[CL15] the same command sent twice runs once, and the same id for another command is refused", async () => {
    const command = crypto.randomUUID();
    const options = { folder: hub.folder, title: "Once" };
    const one = await hub.admin.createSession(options, { command });
    const two = await hub.admin.createSession(options, { command });
    expect(two.id).toBe(one.id);
    expect((await hub.admin.sessions()).filter(({ title }) => title === "Once")).toHaveLength(1);
    const other = hub.admin.createSession({ ...options, title: "Twice" }, { command });
    const failure: unknown = await other.catch((failure: unknown) => failure);
    expect(failure).toMatchObject({ status: 409, code: "command-id-used" });
  });

  test("[CL19] a message that is typed while the hub is away reaches the agent once", async () => {
    const id = await begin("Hello.\n::say hello");
    const client = connect({
      url: hub.admin.url,
      device: hub.browser.credential,
      outbox: createMemoryStorage(),
      tries: 1,
    });
    using watch = client.watchSession(id);
    await reaches(watch, (items) => turns(items) === 1);
    await hub.stopHub();
    await client.outbox.add(id, { text: "Typed offline.\n::say heard" });
    await client.outbox.flush();
    expect(client.outbox.messages).toHaveLength(1);
    await hub.serveAgain();
    await reaches(watch, (items) => turns(items) === 2);
    await until("the outbox is empty", () => client.outbox.messages.length === 0);
    const prompts = getItems(watch).filter((item) =>
      JSON.stringify(item).includes("Typed offline."),
    );
    expect(prompts.filter(({ kind }) => kind === "prompt")).toHaveLength(1);
    client.close();
    await hub.admin.stop(id);
  });

  test("older items load page by page without gaps", async () => {
    const step = (i: number) => `::say part ${i}\n::tool Read {"file_path":"${hub.at(`no-${i}`)}"}`;
    const id = await begin(`Go.\n${Array.from({ length: 60 }, (_, i) => step(i)).join("\n")}`);
    using watch = hub.admin.watchSession(id);
    await reaches(watch, (items) => turns(items) === 1);
    using late = connect({ url: hub.admin.url, device: hub.browser.credential });
    using again = late.watchSession(id);
    await reaches(again, (items) => turns(items) === 1);
    expect(again.view.hasOlder).toBe(true);
    while (await again.loadOlder(7));
    const orders = getItems(again).map(({ order }) => order);
    expect(orders).toEqual(orders.map((_, i) => i));
    await hub.admin.stop(id);
    const { items } = await hub.admin.items(id, { limit: 1000 });
    await reaches(again, same(items));
    await reaches(watch, same(items));
  });

  test("a deleted session is gone for its watchers", async () => {
    const { id } = await hub.admin.createSession({ folder: hub.folder });
    using watch = hub.admin.watchSession(id);
    await new Promise<void>((resolve) => {
      const look = () => watch.view.state === "ready" && resolve();
      watch.subscribe(look);
      look();
    });
    const gone = new Promise<void>((resolve) => {
      watch.subscribe(() => watch.view.state === "gone" && resolve());
    });
    await hub.admin.deleteSession(id);
    await gone;
  });

  test("[CL11] a revoked device is told so and stops connecting", async () => {
    const { code } = await hub.admin.createPairing("viewer");
    const { credential, view } = await pairDevice({ url: hub.admin.url, code, name: "a phone" });
    using phone = connect({ url: hub.admin.url, device: credential });
    using board = phone.watchBoard();
    const reached = (kind: string) =>
      new Promise<void>((resolve) => {
        const look = () => phone.state.kind === kind && resolve();
        phone.onState(look);
        look();
      });
    await reached("live");
    expect(board.view.state).toBe("ready");
    await hub.admin.revokeDevice(view.id);
    await reached("refused");
  });
});
