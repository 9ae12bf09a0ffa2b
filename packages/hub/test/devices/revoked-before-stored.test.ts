import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { ElevationView, Pairing } from "@signalbox/api";
import { elevationText } from "@signalbox/api/proof";
import { readDeviceSigningKey } from "@signalbox/runner/keys";
import { until } from "@signalbox/testing/until";
import { DeviceRegistry, NEVER_EXPIRES } from "../../src/devices/device-registry.ts";
import { hashSecret, newSecret } from "../../src/devices/secrets.ts";
import type { Change, DeviceRow } from "../../src/store/store.ts";
import { MemoryStore } from "../http/memory-store.ts";
import { newDevice } from "@signalbox/testing/signed-requests";
import { openTestServer } from "../http/stage.ts";

setDefaultTimeout(180_000);

/** From `hold` to `release` commits wait, and are stored in their order, as the real store does it. */
class HeldStore extends MemoryStore {
  readonly waiting: (readonly Change[])[] = [];
  #held: PromiseWithResolvers<void> | undefined;

  hold(): void {
    this.#held = Promise.withResolvers();
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** An entry of the audit waits to be stored. */
  async untilWaiting(what: string): Promise<void> {
    const waits = (change: Change) => change.kind === "audit" && change.news.what === what;
    await until(() => this.waiting.some((changes) => changes.some(waits)));
  }

  override async commit(changes: readonly Change[]): Promise<void> {
    if (this.#held) {
      this.waiting.push(changes);
      await this.#held.promise;
    }
    await super.commit(changes);
  }
}

async function openHeld(...rows: DeviceRow[]) {
  const store = new HeldStore();
  await store.commit(rows.map((row) => ({ kind: "device", row })));
  const testServer = await openTestServer({ store });
  const { access, ask } = testServer;
  const invite = async (token: string, role: string) => {
    const made = await ask("POST", "/api/pairings", { token, body: { role } });
    return ((await made.json()) as Pairing).code;
  };
  const pair = (code: string) =>
    ask("POST", "/api/pair", { body: { code, name: "child", publicKey: newDevice().publicKey } });
  const owner = { device: randomUUID(), name: "owner", role: "admin" } as const;
  /** Revokes the device while what `request` changes is being stored; gives the answer to `request`. */
  const revokeDuring = async (device: string, what: string, request: () => Promise<Response>) => {
    store.hold();
    const answer = request();
    await store.untilWaiting(what);
    const revoked = access.revoke(device, owner);
    expect(access.devices.find(device)).toBeUndefined(); // at once
    store.release();
    await revoked;
    const { status, body } = await answer.then(async (response) => ({
      status: response.status,
      body: (await response.json()) as { code?: string },
    }));
    return [status, body.code];
  };
  /** The devices that are let in, now and by the next process of the hub. */
  const devicesIn = async () => {
    const reopened = await DeviceRegistry.open(store.asStore());
    return [access.devices, reopened].map((devices) => devices.list().map(({ id }) => id));
  };
  return { ...testServer, store, invite, pair, owner, revokeDuring, devicesIn };
}

describe("while a device is being revoked", () => {
  test("[HD13] the device that it was pairing is not let in, and is audited as revoked", async () => {
    await using testServer = await openHeld();
    const thief = await testServer.deviceOf("admin");
    const code = await testServer.invite(thief.token, "admin");
    const answer = await testServer.revokeDuring(thief.row.id, "device-paired", () =>
      testServer.pair(code),
    );
    expect(answer).toEqual([401, "wrong-code"]);
    expect(await testServer.devicesIn()).toEqual([[], []]);
    const audited = await testServer.store.audit();
    const entries = audited.filter(({ what }) => what.startsWith("device-"));
    expect(entries.slice(-3).map(({ what, by, facts }) => [what, by, facts.name])).toEqual([
      ["device-paired", "a admin", "child"],
      ["device-revoked", "owner", "a admin"],
      ["device-revoked", "owner", "child"],
    ]);
  });

  test("[HD13] those that were paired from it let nobody in, either, and its last code is worth nothing", async () => {
    await using testServer = await openHeld();
    const { access, store } = testServer;
    const thief = await testServer.deviceOf("admin");
    const by = { name: thief.row.name, device: thief.row.id };
    const second = await access.devices.add({ name: "second", role: "admin", by, how: "a test" });
    const code = await testServer.invite(second.key, "admin");
    store.hold();
    const revoked = access.revoke(thief.row.id, testServer.owner);
    await store.untilWaiting("device-revoked");
    const { publicKey } = newDevice();
    const paired = access.pair(code, "third", publicKey);
    const actor = { device: second.row.id, name: "second", role: "admin" } as const;
    // A request that was let in before the revocation goes on to make its code.
    const person = { kind: "person", actor, elevation: undefined } as const;
    const late = access.pair(
      access.invite("admin", person, testServer.url).code,
      "fourth",
      publicKey,
    );
    const token = access
      .addToken({ name: "curl", role: "driver", days: 1, by: actor })
      .catch((error: unknown) => error);
    store.release();
    await revoked;
    expect([await paired, await late]).toEqual([null, null]);
    expect(await token).toMatchObject({ status: 401, code: "wrong-credential" });
    expect(await testServer.devicesIn()).toEqual([[], []]);
  });

  test("[HD13] the token that it was making is refused", async () => {
    await using testServer = await openHeld();
    const { row, token } = await testServer.deviceOf("admin");
    const body = { name: "curl", role: "driver", days: 1 };
    const answer = await testServer.revokeDuring(row.id, "device-paired", () =>
      testServer.ask("POST", "/api/tokens", { token, body }),
    );
    expect(answer).toEqual([401, "wrong-credential"]);
    expect(await testServer.devicesIn()).toEqual([[], []]);
  });

  test("[HD13] the terminal that it was confirming may not approve", async () => {
    await using testServer = await openHeld();
    const driver = await testServer.deviceOf("driver");
    const approver = await testServer.deviceOf("approver");
    const { publicKey } = newDevice();
    const asked = { token: driver.token, body: { name: "a window", publicKey } };
    const elevation = await testServer.ask("POST", "/api/elevations", asked);
    const { id } = (await elevation.json()) as ElevationView;
    const key = readDeviceSigningKey(approver.token);
    const body = { confirm: true, signature: key?.sign(elevationText(id, publicKey)) };
    const answer = await testServer.revokeDuring(approver.row.id, "terminal-confirmed", () =>
      testServer.ask("POST", `/api/elevations/${id}/decide`, { token: approver.token, body }),
    );
    expect(answer).toEqual([401, "wrong-credential"]);
    expect(testServer.access.elevations.findActive(id)).toBeUndefined();
    expect((await testServer.store.audit()).at(-1)).toMatchObject({ what: "terminal-refused" });
  });

  test("[HD13] the key with which it upgrades itself does not bring it back", async () => {
    const id = randomUUID();
    const token = newSecret("token", id);
    const times = { createdAt: 1, lastSeenAt: null, expiresAt: NEVER_EXPIRES };
    const row = { id, name: "an old phone", role: "admin", publicKey: null, ...times } as const;
    await using testServer = await openHeld({ ...row, tokenHash: hashSecret(token) });
    const headers = { authorization: `Bearer ${token}` };
    const { publicKey } = newDevice();
    const answer = await testServer.revokeDuring(id, "device-key", () =>
      testServer.ask("POST", "/api/upgrade", { headers, body: { publicKey } }),
    );
    expect(answer).toEqual([401, "wrong-credential"]);
    expect(testServer.access.approvers()).toEqual([]);
    expect(await testServer.devicesIn()).toEqual([[], []]);
  });
});
