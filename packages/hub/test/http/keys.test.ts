import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { connect, HubError, importDeviceKey, upgradeDevice } from "@signalbox/client";
import { AccessControl } from "../../src/devices/access-control.ts";
import { AuditedDevices } from "../../src/devices/audited-devices.ts";
import { DeviceRegistry, NEVER_EXPIRES } from "../../src/devices/device-registry.ts";
import { Nonces } from "../../src/devices/nonces.ts";
import { hashSecret, newSecret } from "../../src/devices/secrets.ts";
import type { DeviceRow } from "../../src/store/store.ts";
import { until } from "@signalbox/testing/until";
import { MemoryStore } from "./memory-store.ts";
import { newDevice } from "@signalbox/testing/signed-requests";
import { openTestServer } from "./stage.ts";

setDefaultTimeout(180_000);

const DAY = 24 * 60 * 60 * 1000;

function oldDevice(role: DeviceRow["role"]): { row: DeviceRow; token: string } {
  const id = randomUUID();
  const token = newSecret("token", id);
  const times = { createdAt: 1, lastSeenAt: null, expiresAt: Date.now() + DAY };
  const row = { id, name: `an old ${role}`, role, tokenHash: hashSecret(token), publicKey: null };
  return { row: { ...row, ...times }, token };
}

async function storeWith(...rows: DeviceRow[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.commit(rows.map((row) => ({ kind: "device", row })));
  return store;
}

describe("a signed request", () => {
  test("[HD4] counts once: not again, not for another method, path, query or body", async () => {
    await using testServer = await openTestServer();
    const admin = await testServer.tokenOf("admin");
    const path = "/api/audit?limit=1";
    const headers = await testServer.shownBy(admin, "GET", path);
    const get = async (at: string) => (await fetch(testServer.url + at, { headers })).status;
    expect(await get("/api/audit?limit=2")).toBe(401);
    expect(await get("/api/devices")).toBe(401);
    expect(await get(path)).toBe(200);
    expect(await get(path)).toBe(401);
    const body = JSON.stringify({ role: "viewer" });
    const shown = await testServer.shownBy(admin, "POST", "/api/pairings", body);
    const swapped = await fetch(`${testServer.url}/api/pairings`, {
      method: "POST",
      headers: { ...shown, "content-type": "application/json" },
      body: JSON.stringify({ role: "admin" }),
    });
    expect(swapped.status).toBe(401);
    expect(await swapped.json()).toMatchObject({ code: "wrong-digest" });
  });

  test("[HD4] of an earlier process of the hub is stale, and the client signs it anew by itself", async () => {
    await using before = await openTestServer();
    await using now = await openTestServer();
    const key = newDevice();
    const { row } = await now.access.devices.add({
      name: "desk",
      role: "admin",
      by: null,
      how: "a test",
      publicKey: key.publicKey,
    });
    const headers = await before.shownBy(key.createKey(row.id), "GET", "/api/devices");
    const stale = await fetch(`${now.url}/api/devices`, { headers });
    expect([stale.status, await stale.json()]).toMatchObject([401, { code: "stale-proof" }]);
    const device = { ...(await importDeviceKey(key.createKey(row.id))), hub: now.access.hub };
    using client = connect({ url: now.url, device });
    expect(await client.devices()).toHaveLength(1);
  });

  test("[HD4] may come out of order, and a nonce that was pushed out by others is stale", () => {
    let time = 1000;
    const nonces = new Nonces(() => time);
    const first = nonces.issue();
    for (const count of [3, 1, 2, 700, 5]) expect(nonces.use("d", first, count)).toBe("ok");
    for (const count of [3, 1, 2, 700, 5, 0, 9999])
      expect(nonces.use("d", first, count)).toBe("used");
    for (let nth = 0; nth < 300; nth++) {
      time += 1;
      expect(nonces.use("d", nonces.issue(), 1)).toBe("ok");
    }
    expect(nonces.use("d", first, 4)).toBe("stale");
    expect(nonces.use("another", first, 4)).toBe("ok");
    expect(nonces.use("d", `${first}x`, 4)).toBe("stale");
    expect(new Nonces().use("d", first, 6)).toBe("stale");
    const late = nonces.issue();
    time += 25 * 60 * 60 * 1000;
    expect(nonces.use("d", late, 1)).toBe("stale");
  });
});

describe("a device of the time before keys", () => {
  test("[HD11] upgrades itself: the hub is proven first, the token ends, and nothing is lost with an answer", async () => {
    const old = oldDevice("admin");
    await using testServer = await openTestServer({ store: await storeWith(old.row) });
    const bearer = { authorization: `Bearer ${old.token}` };
    const before = await fetch(`${testServer.url}/api/sessions`, { headers: bearer });
    expect([before.status, await before.json()]).toMatchObject([401, { code: "needs-key" }]);
    const key = newDevice();
    const kept: unknown[] = [];
    const asked = {
      url: testServer.url,
      device: old.row.id,
      token: old.token,
      publicKey: key.publicKey,
    };
    const upgrade = () => upgradeDevice({ ...asked, keep: (hub) => void kept.push(hub) });
    const { device, hub } = await upgrade();
    expect(kept).toEqual([hub]);
    expect(hub).toEqual(testServer.access.hub);
    expect(device).toMatchObject({ id: old.row.id, role: "admin", name: "an old admin" });
    expect((await fetch(`${testServer.url}/api/sessions`, { headers: bearer })).status).toBe(401);
    const token = key.createKey(old.row.id);
    expect((await testServer.ask("GET", "/api/sessions", { token })).status).toBe(200);
    const again: unknown = await upgrade().catch((failure: unknown) => failure);
    expect(HubError.is(again, "not-the-hub")).toBe(true);
    expect((await testServer.store.audit()).slice(0, 2).map(({ what }) => what)).toEqual([
      "devices-adopted",
      "device-key",
    ]);
  });

  test("[HD11] does not show its token to whoever else listens there", async () => {
    const seen: (string | null)[] = [];
    using squatter = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        seen.push(`${new URL(request.url).pathname} ${request.headers.get("authorization")}`);
        return Response.json({
          hub: randomUUID(),
          key: newDevice().publicKey,
          nonce: "n".repeat(40),
        });
      },
    });
    const { row, token } = oldDevice("admin");
    const url = `http://127.0.0.1:${squatter.port}`;
    const { publicKey } = newDevice();
    const failure: unknown = await upgradeDevice({
      url,
      device: row.id,
      token,
      publicKey,
      keep: () => {},
    }).catch((error: unknown) => error);
    expect(HubError.is(failure, "not-the-hub")).toBe(true);
    expect(seen).toEqual(["/api/identity null"]);
  });

  test("[HD11] a runner that lives on over the upgrade opens its link with its token, and nothing else", async () => {
    const old = oldDevice("runner");
    await using testServer = await openTestServer({ store: await storeWith(old.row) });
    const bearer = { authorization: `Bearer ${old.token}` };
    const status = async (path: string) =>
      (await fetch(testServer.url + path, { headers: bearer })).status;
    expect(await status("/api/runner")).toBe(426); // let in; it only asked for no upgrade
    expect(await status("/api/sessions")).toBe(403);
  });

  test("[HD16] a page of before is told to wait, with its token and without, and programs are told what it is", async () => {
    const old = oldDevice("admin");
    await using testServer = await openTestServer({ store: await storeWith(old.row) });
    const page = { "sec-fetch-site": "same-origin" };
    const bearer = { authorization: `Bearer ${old.token}` };
    const told = async (headers: Record<string, string>) => {
      const answer = await fetch(`${testServer.url}/api/tickets`, { method: "POST", headers });
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    expect(await told({ ...page, ...bearer })).toEqual([503, "page-too-old"]);
    expect(await told(page)).toEqual([503, "page-too-old"]);
    expect(await told(bearer)).toEqual([401, "needs-key"]);
    expect(await told({})).toEqual([401, "no-credential"]);
    const wrong = { authorization: `Bearer ${old.token}x` };
    expect(await told({ ...page, ...wrong })).toEqual([401, "wrong-credential"]);
  });

  test("[HD16] the secret that hub and runners shared goes with the last runner of before", async () => {
    const [first, second] = [oldDevice("runner"), oldDevice("runner")];
    const store = await storeWith(first.row, second.row);
    await store.commit([{ kind: "setting", key: "hub-key", value: "ab".repeat(32) }]);
    const access = await AccessControl.open(store.asStore());
    const proof = () => access.prove("c".repeat(64), "localhost:1", undefined);
    expect(proof()).toHaveProperty("proof");
    await access.upgrade(first.token, newDevice().publicKey);
    expect(await store.setting("hub-key")).toBe("ab".repeat(32));
    await access.devices.revoke(second.row.id, null);
    await until(async () => (await store.setting("hub-key")) === undefined);
    expect(proof()).not.toHaveProperty("proof");
  });
});

describe("what the audit chain does not know", () => {
  test("[HD12] a row that somebody wrote into the database opens nothing: another device, another role, another key or token", async () => {
    const store = new MemoryStore();
    const devices = await DeviceRegistry.open(store.asStore());
    const add = (role: DeviceRow["role"]) =>
      devices.add({ name: role, role, by: null, how: "a test" });
    const viewer = await add("viewer");
    const admin = await add("admin");
    const program = await devices.addToken({ name: "curl", role: "viewer", days: 1, by: null });
    const stranger = { ...admin.row, id: randomUUID(), publicKey: newDevice().publicKey };
    const forged: DeviceRow[] = [
      stranger,
      { ...viewer.row, role: "admin" },
      { ...admin.row, publicKey: newDevice().publicKey },
      { ...admin.row, publicKey: null, tokenHash: hashSecret("known to me") },
      { ...program.row, tokenHash: hashSecret("known to me") },
      { ...program.row, role: "admin" },
    ];
    for (const row of forged) {
      const attacked = await storeWith(row);
      attacked.adoptAudit(store);
      const opened = await DeviceRegistry.open(attacked.asStore());
      expect(opened.find(row.id)).toBeUndefined();
      expect(opened.unauditedRows).toMatchObject([{ id: row.id }]);
    }
    const revoked = await add("admin");
    await devices.revoke(revoked.row.id, null);
    const back = await storeWith(revoked.row, viewer.row);
    back.adoptAudit(store);
    const reopened = await DeviceRegistry.open(back.asStore());
    expect(reopened.list().map(({ id }) => id)).toEqual([viewer.row.id]);
  });

  test("[HD12] devices of before are taken over once; a second time nothing is", async () => {
    const first = oldDevice("admin");
    const store = await storeWith(first.row);
    const devices = await DeviceRegistry.open(store.asStore());
    expect(devices.list()).toHaveLength(1);
    const second = oldDevice("admin");
    await store.commit([{ kind: "device", row: second.row }]);
    const again = await DeviceRegistry.open(store.asStore());
    expect(again.list().map(({ id }) => id)).toEqual([first.row.id]);
    const adoption = { devices: [{ ...second.row }], asks: [] };
    const audited = await AuditedDevices.read(store.asStore());
    audited.note({ what: "devices-adopted", facts: adoption });
    expect(audited.matches(second.row)).toBe(false);
  });
});

describe("devices that were paired from another", () => {
  test("[HD13] go with it, and those paired from them; never the one that asks", async () => {
    await using testServer = await openTestServer();
    const pairFrom = async (maker: string, role: string) => {
      const made = await testServer.ask("POST", "/api/pairings", { token: maker, body: { role } });
      const { code } = (await made.json()) as { code: string };
      const { publicKey, createKey } = newDevice();
      const body = { code, name: role, publicKey };
      const paired = await testServer.ask("POST", "/api/pair", { body });
      const { device } = (await paired.json()) as { device: { id: string } };
      return { id: device.id, token: createKey(device.id) };
    };
    const admin = await testServer.tokenOf("admin");
    const driver = await pairFrom(admin, "driver");
    const child = await pairFrom(driver.token, "driver");
    const grandchild = await pairFrom(child.token, "viewer");
    const other = await pairFrom(admin, "viewer");
    const devices = await testServer.ask("GET", "/api/devices", { token: admin });
    const list = (await devices.json()) as { id: string; pairedDevices?: { id: string }[] }[];
    const named = list.find(({ id }) => id === driver.id)?.pairedDevices?.map(({ id }) => id);
    expect(named?.toSorted()).toEqual([child.id, grandchild.id].toSorted());
    const path = `/api/devices/${driver.id}`;
    expect((await testServer.ask("DELETE", path, { token: child.token })).status).toBe(204);
    const status = async (token: string) =>
      (await testServer.ask("GET", "/api/sessions", { token })).status;
    expect(await status(driver.token)).toBe(401);
    expect(await status(child.token)).toBe(200); // it asked
    expect(await status(grandchild.token)).toBe(401);
    expect(await status(other.token)).toBe(200);
    // One that leaves by itself takes no others along.
    const parent = await pairFrom(admin, "driver");
    const kept = await pairFrom(parent.token, "viewer");
    await testServer.ask("DELETE", `/api/devices/${parent.id}`, { token: parent.token });
    expect(await status(parent.token)).toBe(401);
    expect(await status(kept.token)).toBe(200);
    // It goes with the device above the one that left.
    const above = await pairFrom(admin, "driver");
    const middle = await pairFrom(above.token, "driver");
    const below = await pairFrom(middle.token, "viewer");
    await testServer.ask("DELETE", `/api/devices/${middle.id}`, { token: middle.token });
    expect(await status(below.token)).toBe(200);
    await testServer.ask("DELETE", `/api/devices/${above.id}`, { token: admin });
    expect(await status(below.token)).toBe(401);
  });

  test("[HD13] go with one that has expired, which is listed as long as they are in", async () => {
    let ahead = 0;
    const now = () => 1_000_000 + ahead;
    await using testServer = await openTestServer({ clocks: { now, steady: now } });
    const parent = await testServer.deviceOf("driver");
    const by = { name: parent.row.name, device: parent.row.id };
    ahead = 60 * DAY;
    const child = await testServer.access.devices.add({
      name: "child",
      role: "driver",
      by,
      how: "a test",
    });
    ahead = 100 * DAY; // the parent was not used for more than ninety days
    const status = async (token: string) =>
      (await testServer.ask("GET", "/api/sessions", { token })).status;
    expect(await status(parent.token)).toBe(401);
    expect(await status(child.key)).toBe(200);
    const admin = await testServer.tokenOf("admin");
    const listed = async () => {
      const devices = await testServer.ask("GET", "/api/devices", { token: admin });
      const list = (await devices.json()) as { id: string; pairedDevices?: { id: string }[] }[];
      return list.find(({ id }) => id === parent.row.id)?.pairedDevices?.map(({ id }) => id);
    };
    expect(await listed()).toEqual([child.row.id]);
    const path = `/api/devices/${parent.row.id}`;
    expect((await testServer.ask("DELETE", path, { token: admin })).status).toBe(204);
    expect(await status(child.key)).toBe(401);
    expect(await listed()).toBeUndefined();
  });

  test("[HD13] what a program's token has let in ends with the token, by its time or by its own leave", async () => {
    let ahead = 0;
    const now = () => 1_000_000 + ahead;
    const store = new MemoryStore();
    const access = await AccessControl.open(store.asStore(), { now, steady: now });
    const letIn = async (days: number) => {
      const { row } = await access.devices.addToken({
        name: "curl",
        role: "driver",
        days,
        by: null,
      });
      const by = { name: row.name, device: row.id };
      const child = await access.devices.add({ name: "child", role: "driver", by, how: "a test" });
      const nextBy = { name: child.row.name, device: child.row.id };
      const next = await access.devices.add({
        name: "next",
        role: "viewer",
        by: nextBy,
        how: "a test",
      });
      return { row, ids: [child.row.id, next.row.id] };
    };
    const isIn = (ids: string[]) => ids.map((id) => access.devices.find(id) !== undefined);
    const short = await letIn(2);
    const long = await letIn(30);
    ahead = 2 * DAY;
    expect(isIn(short.ids)).toEqual([false, false]);
    expect(isIn(long.ids)).toEqual([true, true]);
    const { id: device, name } = long.row;
    await access.revoke(device, { device, name, role: "driver" });
    expect(isIn(long.ids)).toEqual([false, false]);
    const reopened = await DeviceRegistry.open(store.asStore(), { now, steady: now });
    expect(reopened.list()).toEqual([]);
  });
});

describe("the clock", () => {
  test("[HD15] set back or ahead and corrected, it locks nobody out, and expiry never moves backwards", async () => {
    for (const jump of [
      -20 * 365 * DAY,
      -90 * DAY,
      -3_600_000,
      3_600_000,
      90 * DAY,
      20 * 365 * DAY,
    ]) {
      let ahead = 0;
      let lived = 0;
      const start = Date.now();
      const clocks = { now: () => start + lived + ahead, steady: () => start + lived };
      const store = new MemoryStore();
      const devices = await DeviceRegistry.open(store.asStore(), clocks);
      const { row } = await devices.add({ name: "desk", role: "admin", by: null, how: "a test" });
      const before = row.expiresAt;
      const use = () => {
        lived += 61_000;
        const found = devices.find(row.id);
        if (found) devices.noteUse(found);
        return found !== undefined;
      };
      ahead = jump;
      expect([jump, use()]).toEqual([jump, true]);
      ahead = 0;
      expect([jump, use()]).toEqual([jump, true]);
      expect(devices.find(row.id)?.expiresAt).toBeGreaterThanOrEqual(before);
      // The next process of the hub, with the right clock.
      const next = await DeviceRegistry.open(store.asStore(), clocks);
      expect([jump, next.find(row.id)?.id]).toEqual([jump, row.id]);
    }
  });

  test("[HD15] the hub's own runner and the command line never expire; where nobody is let in any more, the hub's terminal pairs", async () => {
    const store = new MemoryStore();
    const devices = await DeviceRegistry.open(store.asStore());
    const own = {
      name: "this machine",
      by: null,
      how: "the hub's start",
      neverExpires: true,
    } as const;
    const { row } = await devices.add({ ...own, role: "runner" });
    await devices.add({ name: "desk", role: "admin", by: null, how: "a test" });
    expect(row.expiresAt).toBe(NEVER_EXPIRES);
    const late = () => Date.now() + 30 * 365 * DAY;
    const wrong = await DeviceRegistry.open(store.asStore(), { now: late, steady: late });
    expect(wrong.list().map(({ id }) => id)).toEqual([row.id]);
    expect(wrong.has("admin")).toBe(false); // so `serve` prints a link that makes one
    const right = await DeviceRegistry.open(store.asStore());
    expect(right.has("admin")).toBe(true);
  });
});
