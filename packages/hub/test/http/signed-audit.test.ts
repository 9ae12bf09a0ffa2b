import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHub } from "@signalbox/hub";
import { restoreBackup, makeBackup } from "@signalbox/hub/backup";
import type { AuditPage } from "@signalbox/api";
import { canonicalJson } from "@signalbox/api/proof";
import { hashAsk } from "@signalbox/runner/asks";
import { verifySignature, createSigningKey, readSigningKey } from "@signalbox/runner/keys";
import { auditHash, auditSignatureText, FIRST_HEAD } from "../../src/store/audit-chain.ts";
import { authorization, newDevice } from "@signalbox/testing/signed-requests";

setDefaultTimeout(180_000);

let data: string;
beforeEach(() => void (data = mkdtempSync(join(tmpdir(), "signalbox-audit-"))));
afterEach(() => rmSync(data, { recursive: true, force: true }));

const start = (options: { newDatabase?: boolean } = {}) =>
  startHub({ data, version: "0.0.0", port: 0, ...options });
type Hub = Awaited<ReturnType<typeof start>>;

async function get<Answer>(hub: Hub, path: string): Promise<Answer> {
  const key = readFileSync(join(data, "command-line.key"), "utf8").trim();
  const shown = await authorization(hub.url, key, "GET", path);
  const response = await fetch(hub.url + path, { headers: { authorization: shown } });
  return (await response.json()) as Answer;
}
const verify = async (hub: Hub) =>
  (await get<AuditPage>(hub, "/api/audit?limit=1&verify=1")).verified;
const notAudited = async (hub: Hub) =>
  (await get<{ notAudited: string[] }>(hub, "/api/hub")).notAudited;

/** What somebody does to the database who can write it and has no key. */
function tamper(change: (db: Database) => void): void {
  const db = new Database(join(data, "signalbox.sqlite"));
  for (const name of ["auditIsNotChanged", "auditIsNotCut", "auditGrowsAtItsEnd"]) {
    db.run(`DROP TRIGGER IF EXISTS ${name}`);
  }
  change(db);
  db.close();
}

/** Appends an entry whose hash fits the chain; `sign`: with a key of one's own. */
function append(
  db: Database,
  what: string,
  facts: Record<string, unknown>,
  sign: (text: string) => string | null = () => null,
): number {
  const last = db
    .query<{ nth: number; hash: string }, []>("SELECT nth, hash FROM audit ORDER BY nth DESC")
    .get() ?? { nth: 0, hash: FIRST_HEAD };
  const entry = { nth: last.nth + 1, at: 1, what, by: null, session: null, facts };
  const hash = auditHash(last.hash, entry);
  db.run("INSERT INTO audit VALUES (?, 1, ?, NULL, NULL, ?, ?, ?)", [
    entry.nth,
    what,
    canonicalJson(facts),
    hash,
    sign(auditSignatureText(hash)),
  ]);
  return entry.nth;
}

function addAdmin(db: Database): Record<string, unknown> {
  const { publicKey } = newDevice();
  const id = randomUUID();
  db.run(
    `INSERT INTO devices ("id", "name", "role", "tokenHash", "createdAt", "expiresAt", "publicKey")
     VALUES (?, 'mine', 'admin', '', 1, 9e15, ?)`,
    [id, publicKey],
  );
  return { device: id, name: "mine", role: "admin", how: "a pairing code", publicKey };
}

describe("somebody who can write the database and has no key", () => {
  test.each([
    ["that is not signed", () => () => null, "is not signed"],
    [
      "that is signed by another key",
      () => (text: string) => createSigningKey().sign(text),
      "not by this hub",
    ],
  ])("[LG26] adds an entry %s: it opens nothing and is named", async (_, signer, why) => {
    await (await start()).stop();
    let nth = 0;
    tamper((db) => {
      nth = append(db, "device-paired", addAdmin(db), signer());
    });
    await using hub = await start();
    expect(hub.firstPairing()).toBeDefined(); // there is no admin
    expect(await verify(hub)).toMatchObject({ broken: nth, why: expect.stringContaining(why) });
    expect(await notAudited(hub)).toEqual([
      'the device "mine" (admin)',
      `entry ${nth} of the audit log (device-paired), which this hub did not write`,
    ]);
  });

  test("[LG26] an entry that was added while the hub runs is named, also after entries of the hub's", async () => {
    const hub = await start();
    let nth = 0;
    tamper((db) => {
      nth = append(db, "device-paired", addAdmin(db));
    });
    const key = readFileSync(join(data, "command-line.key"), "utf8").trim();
    for (let wrong = 0; wrong < 3; wrong++) {
      await fetch(`${hub.url}/api/hub`, { headers: { authorization: `Bearer ${key}x${wrong}` } });
    }
    expect(await verify(hub)).toMatchObject({ broken: nth });
    await hub.stop();
    await using again = await start();
    expect((await verify(again))?.count).toBeGreaterThan(nth);
    expect(await verify(again)).toMatchObject({ broken: nth });
    expect(again.firstPairing()).toBeDefined();
  });

  test("[LG26] writes the whole chain anew, or a shorter one: nobody is let in by it", async () => {
    await (await start()).stop();
    for (const rewritten of ["anew", "shorter"]) {
      tamper((db) => {
        const paired = addAdmin(db);
        const count = db.query<{ n: number }, []>("SELECT count(*) AS n FROM audit").get()?.n ?? 0;
        db.run("DELETE FROM audit");
        append(db, "device-paired", paired);
        const others = rewritten === "anew" ? count - 1 : 0;
        for (let nth = 0; nth < others; nth++) append(db, "started", {});
      });
      const hub = await start();
      expect(hub.firstPairing()).toBeDefined();
      expect(await verify(hub)).toMatchObject({ broken: 1 });
      await hub.stop();
    }
  });

  test("[LG26] an ask that was added with its entry does not count", async () => {
    await (await start()).stop();
    const [session, ask] = [randomUUID(), randomUUID()];
    tamper((db) => {
      db.run(
        `INSERT INTO sessions ("id", "folder", "title", "named", "agent", "driver", "runner", "policy",
           "pinned", "archived", "createdAt", "options", "state")
         VALUES (?, '/', '', 0, 'claude', 'stdio', 'none', 'default', 0, 0, 1, '{"folder":"/"}', 'stopped')`,
        [session],
      );
      const hash = hashAsk(session, "Bash", {}, "/");
      const json = { id: ask, session, kind: "permission", tool: "Bash", input: {}, hash };
      db.run("INSERT INTO asks VALUES (?, ?, 'run', 'request', 'open', 1, ?)", [
        ask,
        session,
        JSON.stringify({ ...json, status: "open", openedAt: 1 }),
      ]);
      append(db, "asked", { ask, tool: "Bash", hash });
    });
    await using hub = await start();
    expect(await notAudited(hub)).toContain(`the request ${ask}`);
  });
});

describe("a chain of before the hub signed it", () => {
  /** What a hub of the version before leaves: no signatures, and nothing about them beside its key. */
  function asBefore(): void {
    const path = join(data, "identity.json");
    const { hub, privateKey } = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
    writeFileSync(path, JSON.stringify({ hub, privateKey }));
    rmSync(join(data, "audit-head.json"));
    tamper((db) => {
      db.run("DELETE FROM audit WHERE what = 'audit-signing-began'");
      const rows = db.query<{ what: string; facts: string }, []>("SELECT what, facts FROM audit");
      const entries = rows.all();
      db.run("DELETE FROM audit");
      for (const { what, facts } of entries) {
        append(db, what, JSON.parse(facts) as Record<string, unknown>);
      }
    });
  }

  test("[LG27] is signed from now on: an entry says so, and the devices in it stay", async () => {
    const first = await start();
    const code = first.firstPairing()?.code;
    const { publicKey } = newDevice();
    const body = JSON.stringify({ code, name: "desk", publicKey });
    const headers = { "content-type": "application/json" };
    await fetch(`${first.url}/api/pair`, { method: "POST", headers, body });
    await first.stop();
    asBefore();
    const before = new Database(join(data, "signalbox.sqlite"));
    const last = before
      .query<{ nth: number; hash: string }, []>("SELECT nth, hash FROM audit ORDER BY nth DESC")
      .get();
    before.close();
    for (const _ of ["upgraded", "started again"]) {
      const hub = await start();
      expect(hub.firstPairing()).toBeUndefined(); // the admin of before is in
      expect(await verify(hub)).toMatchObject({ broken: null, unsigned: last?.nth });
      const { entries } = await get<AuditPage>(hub, "/api/audit?limit=100");
      expect(entries.filter(({ what }) => what === "audit-signing-began")).toMatchObject([
        { nth: (last?.nth ?? 0) + 1, facts: { unsignedEntries: last?.nth, head: last?.hash } },
      ]);
      expect(await notAudited(hub)).toEqual([]);
      await hub.stop();
    }
    // What is unsigned cannot be changed any more either: the entry after it vouches for it.
    tamper((db) => {
      const rows = db
        .query<{ what: string; facts: string; signature: string | null }, []>("SELECT * FROM audit")
        .all();
      const paired = addAdmin(db);
      db.run("DELETE FROM audit");
      for (const [at, { what, facts, signature }] of rows.entries()) {
        const own = JSON.parse(facts) as Record<string, unknown>;
        append(db, at === 0 ? "device-paired" : what, at === 0 ? paired : own, () => signature);
      }
    });
    await using hub = await start();
    expect(await verify(hub)).toMatchObject({
      broken: (last?.nth ?? 0) + 1,
      why: expect.stringContaining("began to sign"),
    });
    expect(hub.firstPairing()).toBeDefined();
  });
});

describe("an audit log whose end was cut off while the hub was stopped", () => {
  const pair = async (hub: Hub, code: string | undefined, name: string) => {
    const device = newDevice();
    const body = JSON.stringify({ code, name, publicKey: device.publicKey });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${hub.url}/api/pair`, { method: "POST", headers, body });
    const { device: made } = (await answer.json()) as { device: { id: string } };
    return { id: made.id, key: device.createKey(made.id) };
  };
  const send = async (hub: Hub, key: string, method: string, path: string, sent?: object) => {
    const body = sent && JSON.stringify(sent);
    const headers = {
      "content-type": "application/json",
      "signalbox-command": randomUUID(),
      authorization: await authorization(hub.url, key, method, path, body),
    };
    return fetch(hub.url + path, { method, headers, ...(body !== undefined && { body }) });
  };
  /** Cuts the log as it was before a device was revoked, and puts the device's row back. */
  async function revokeAndCut(): Promise<{ desk: string; lost: string }> {
    const hub = await start();
    const desk = await pair(hub, hub.firstPairing()?.code, "desk");
    const pairing = await send(hub, desk.key, "POST", "/api/pairings", { role: "approver" });
    const { code } = (await pairing.json()) as { code: string };
    const lost = await pair(hub, code, "lost phone");
    const db = new Database(join(data, "signalbox.sqlite"));
    const row = db.query<Record<string, string>, [string]>("SELECT * FROM devices WHERE id = ?");
    const device = row.get(lost.id) ?? {};
    const last = db.query<{ nth: number }, []>("SELECT max(nth) AS nth FROM audit").get()?.nth ?? 0;
    db.close();
    const revoked = await send(hub, desk.key, "DELETE", `/api/devices/${lost.id}`);
    expect(revoked.ok).toBe(true);
    expect((await send(hub, lost.key, "GET", "/api/sessions")).status).toBe(401);
    await hub.stop();
    tamper((open) => {
      open.run("DELETE FROM audit WHERE nth > ?", [last]);
      const names = Object.keys(device);
      const columns = names.map((name) => `"${name}"`).join(", ");
      const places = names.map(() => "?").join(", ");
      open.run(`INSERT INTO devices (${columns}) VALUES (${places})`, Object.values(device));
    });
    return { desk: desk.key, lost: lost.key };
  }

  test("[LG28] lets no device in again that was revoked, and says so at every start", async () => {
    const { desk, lost } = await revokeAndCut();
    expect(statSync(join(data, "audit-head.json")).mode & 0o777).toBe(0o600);
    for (const _ of ["started", "started again"]) {
      const hub = await start();
      expect((await send(hub, lost, "GET", "/api/sessions")).status).toBe(401);
      expect((await send(hub, desk, "GET", "/api/sessions")).status).toBe(200);
      expect(hub.trouble).toContain("was cut off");
      const told = await get<{ trouble: string | null; notAudited: string[] }>(hub, "/api/hub");
      expect(told.trouble).toContain("was cut off");
      expect(told.notAudited).toContain('the device "lost phone" (approver)');
      const verdict = await verify(hub);
      expect(verdict?.broken).toBeGreaterThan(0);
      await hub.stop();
    }
  });

  test("[LG28] a device that is paired afterwards stays in", async () => {
    const { desk } = await revokeAndCut();
    const hub = await start();
    const pairing = await send(hub, desk, "POST", "/api/pairings", { role: "driver" });
    const { code } = (await pairing.json()) as { code: string };
    const { key } = await pair(hub, code, "new phone");
    await hub.stop();
    await using again = await start();
    expect((await send(again, key, "GET", "/api/sessions")).status).toBe(200);
  });

  test("[LG28] nothing is said of a log that only grew, also after a hub that was not stopped", async () => {
    const hub = await start();
    await pair(hub, hub.firstPairing()?.code, "desk");
    const kept = readFileSync(join(data, "audit-head.json"), "utf8");
    await hub.stop();
    writeFileSync(join(data, "audit-head.json"), kept, { mode: 0o600 }); // as before the stop
    await using again = await start();
    expect(again.trouble).toBeUndefined();
    expect(await verify(again)).toMatchObject({ broken: null });
  });
});

test("[LG26] every entry is signed, over restarts, a restored backup and a database that is begun anew", async () => {
  const fits = { broken: null, unsigned: 0 };
  const hub = await start();
  expect(await verify(hub)).toMatchObject(fits);
  const identity = JSON.parse(readFileSync(join(data, "identity.json"), "utf8")) as {
    privateKey: string;
  };
  await hub.stop();
  const db = new Database(join(data, "signalbox.sqlite"));
  const row = db
    .query<{ hash: string; signature: string }, []>("SELECT hash, signature FROM audit")
    .get();
  db.close();
  const { publicKey } = readSigningKey(identity.privateKey);
  expect(
    verifySignature(publicKey, auditSignatureText(row?.hash ?? ""), row?.signature ?? ""),
  ).toBe(true);
  const file = `${data}.backup`;
  try {
    makeBackup(data, file);
    await restoreBackup(data, file);
  } finally {
    rmSync(file, { force: true });
  }
  const restored = await start();
  const { entries } = await get<AuditPage>(restored, "/api/audit?limit=100");
  expect(entries.map(({ what }) => what)).toContain("restored");
  expect(await verify(restored)).toMatchObject(fits);
  await restored.stop();
  for (const ending of ["", "-wal", "-shm"])
    rmSync(join(data, `signalbox.sqlite${ending}`), { force: true });
  const anew = await start({ newDatabase: true });
  expect(await verify(anew)).toMatchObject(fits);
  await anew.stop();
  await using last = await start();
  expect(await verify(last)).toMatchObject(fits);
});
