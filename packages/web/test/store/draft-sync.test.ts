import { connect, importDeviceKey, type HubClient } from "@signalbox/client";
import type { DraftView, PairedDevice, Pairing } from "@signalbox/api";
import { expect, setDefaultTimeout, test } from "bun:test";
import { newDevice } from "@signalbox/testing/signed-requests";
import { until } from "@signalbox/testing/until";
import { caller, openWhole, pairAs, settle, type Whole } from "@signalbox/testing/whole-hub";
import { memoryDatabase } from "../../src/storage/database.ts";
import { newSessionDraftName } from "../../src/store/draft-names.ts";
import { DraftSync } from "../../src/store/draft-sync.ts";
import { Drafts, emptyDraft } from "../../src/store/drafts.ts";

setDefaultTimeout(180_000);

const draft = (text: string) => ({ ...emptyDraft, text });
const picture = { data: "AAAA", name: "a.png" };

async function pair(whole: Whole, admin: ReturnType<typeof caller>, name: string) {
  const { code } = (await admin("POST", "/api/pairings", { role: "driver" })).body as Pairing;
  const { publicKey, createKey } = newDevice();
  const body = { code, name, publicKey };
  const paired = (await caller(whole.hub, "x")("POST", "/api/pair", body)).body as PairedDevice;
  const key = await importDeviceKey(createKey(paired.device.id));
  return { id: paired.device.id, device: { ...key, hub: paired.hub } };
}

/** A page of a device: its drafts, and its pauses in typing, which end when the test says so. */
async function openPage(whole: Whole, paired: Awaited<ReturnType<typeof pair>>) {
  const client: HubClient = connect({
    url: whole.hub.url,
    device: paired.device,
    schedule: (run) => queueMicrotask(run),
  });
  const database = { ...memoryDatabase(), isPersistent: true };
  const pauses = new Set<() => void>();
  let isOnline = true;
  const states = new Set<() => void>();
  const openDrafts = async () => {
    const drafts = await Drafts.open(database);
    const sync = new DraftSync(drafts, {
      isLive: () => isOnline && client.state.kind === "live",
      onState: (listener) => {
        states.add(listener);
        client.onState(listener);
      },
      onDraft: (listener) => client.onDraft((news) => isOnline && listener(news)),
      drafts: () => client.drafts(),
      saveDraft: (news) => client.saveDraft(news),
      getDevice: () => paired.id,
      afterPause: (run) => {
        pauses.add(run);
        return () => pauses.delete(run);
      },
    });
    return { drafts, sync };
  };
  client.goLive();
  await until("the link is live", () => client.state.kind === "live");
  return {
    ...(await openDrafts()),
    /** The page is loaded again, with what the browser has stored. */
    reload: openDrafts,
    rest() {
      const all = [...pauses];
      pauses.clear();
      for (const run of all) run();
    },
    setOnline(next: boolean) {
      isOnline = next;
      for (const listener of states) listener();
    },
    close: () => client.close(),
  };
}

test("[PG76] drafts follow a person from device to device, and of two texts neither is lost", async () => {
  await using whole = await openWhole();
  const { admin } = await settle(whole);
  const desk = await openPage(whole, await pair(whole, admin, "Laptop"));
  const phone = await openPage(whole, await pair(whole, admin, "Phone"));
  const name = newSessionDraftName("/work/atlas");
  /** Waits for something while both have pauses in typing. */
  const becomes = (what: string, isSo: () => boolean | Promise<boolean>) =>
    until(
      what,
      () => {
        desk.rest();
        phone.rest();
        return isSo();
      },
      { seen: () => [desk, phone].map(({ drafts }) => drafts.get(name).text) },
    );
  const at = (page: typeof desk, text: string) =>
    becomes(`the text is ${text}`, () => page.drafts.get(name).text === text);
  const stored = async () =>
    ((await admin("GET", "/api/drafts")).body as DraftView[]).find((each) => each.name === name);

  // What is typed on one device is on the other, whose attachments stay where they are.
  desk.drafts.set(name, { ...draft("Fix the reader"), images: [picture] });
  await at(phone, "Fix the reader");
  expect(phone.drafts.get(name).images).toEqual([]);
  expect(phone.sync.getNews(name).attachedElsewhere).toEqual({ count: 1, device: "Laptop" });
  phone.drafts.set(name, draft("Fix the reader test"));
  await at(desk, "Fix the reader test");
  expect(desk.drafts.get(name).images).toEqual([picture]);

  // Both change it while the phone is offline: each keeps its own text, and the newer one is offered.
  phone.setOnline(false);
  phone.drafts.set(name, draft("from the train"));
  desk.drafts.set(name, { ...desk.drafts.get(name), text: "from the desk" });
  await becomes("the hub has the desk's", async () => (await stored())?.text === "from the desk");
  phone.setOnline(true);
  await becomes(
    "the desk's is offered",
    () => phone.sync.getNews(name).offer?.text === "from the desk",
  );
  expect(phone.drafts.get(name).text).toBe("from the train");
  expect(desk.drafts.get(name).text).toBe("from the desk");

  // The person takes it, and can have their own back, which then counts everywhere.
  const before = phone.sync.useOffer(name);
  expect(phone.drafts.get(name).text).toBe("from the desk");
  expect(phone.sync.getNews(name).offer).toBeUndefined();
  phone.drafts.set(name, before);
  await at(desk, "from the train");

  // The same the other way: what is kept here replaces the other once the person has said so.
  phone.setOnline(false);
  phone.drafts.set(name, draft("mine"));
  desk.drafts.set(name, draft("theirs"));
  await becomes("the hub has theirs", async () => (await stored())?.text === "theirs");
  phone.setOnline(true);
  await becomes("theirs is offered", () => phone.sync.getNews(name).offer?.text === "theirs");
  phone.sync.dismissOffer(name);
  await at(desk, "mine");

  // It was sent on one device, and is gone on the other.
  desk.drafts.set(name, emptyDraft);
  await at(phone, "");
  desk.close();
  phone.close();
});

test("[PG76] a draft of a page that was closed before it was saved is saved by the next one", async () => {
  await using whole = await openWhole();
  const { admin } = await settle(whole);
  const desk = await openPage(whole, await pair(whole, admin, "Laptop"));
  const name = newSessionDraftName();
  desk.drafts.set(name, draft("typed and closed"));
  await until("it is in the browser", async () => {
    const { drafts } = await desk.reload();
    return drafts.get(name).text === "typed and closed";
  });
  await until("it is at the hub", async () => {
    desk.rest();
    const all = (await admin("GET", "/api/drafts")).body as DraftView[];
    return all.some(({ text }) => text === "typed and closed");
  });
  desk.close();
});

test("[HB142] the hub keeps drafts for drivers alone, and forgets a session's with it", async () => {
  await using whole = await openWhole();
  const { admin, driver } = await settle(whole);
  const viewer = await pairAs(whole.hub, admin, "viewer");
  const made = await driver("POST", "/api/sessions", { folder: whole.folder });
  const { id } = made.body as { id: string };
  const save = (text: string, base: number, name = id) =>
    driver("PUT", "/api/drafts", { name, text, base });
  expect((await save("one", 0)).body as object).toEqual({ isSaved: true, rev: 1 });
  expect((await save("another", 0)).body as object).toEqual({ isSaved: false, rev: 1 });
  expect((await save("two", 1)).body as object).toEqual({ isSaved: true, rev: 2 });
  expect((await save("x", 0, crypto.randomUUID())).status).toBe(404);
  expect((await save("x".repeat(300_000), 2)).status).toBe(400);
  expect((await viewer("GET", "/api/drafts")).status).toBe(403);
  expect((await viewer("PUT", "/api/drafts", { name: id, text: "x", base: 2 })).status).toBe(403);
  expect((await admin("GET", "/api/drafts")).body as object).toMatchObject([
    { text: "two", rev: 2 },
  ]);
  expect((await driver("DELETE", `/api/sessions/${id}`)).status).toBe(204);
  expect((await admin("GET", "/api/drafts")).body as object).toEqual([]);
});
