import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "@signalbox/hub/store";
import { openForWriting } from "../../src/store/database.ts";
import { migrations } from "../../src/store/migrations.ts";
import { readOrAddMachineId } from "../../src/store/shared-setting.ts";
import { line, openFolder, session } from "./rows.ts";

setDefaultTimeout(180_000);

/** A row of every table, as version 1 wrote them. */
const ofVersion1 = `
  INSERT INTO sessions VALUES ('s', '/work', 'a title', 1, 'claude', 'stdio', 'own', 'default', NULL, 0,
    1, 1000, '{"folder":"/work"}', NULL, 'c', 'parked', NULL, 'r');
  INSERT INTO progress VALUES ('s', 2, 2, 1, '{"title":"a summary"}', '{"by":1}');
  INSERT INTO blobs VALUES ('${"ab".repeat(32)}', x'68656c6c6f');
  INSERT INTO blobHolders VALUES ('${"ab".repeat(32)}', 's');
  INSERT INTO lines VALUES ('s', 1, 1, 'r', 'agent', 1001, '{"type":"user"}', NULL, NULL, NULL, NULL);
  INSERT INTO lines VALUES ('s', 2, 2, 'r', 'agent', 1002, NULL, 3, x'ff', '${"ab".repeat(32)}', NULL);
  INSERT INTO items VALUES ('s', 'i', 1, 1, '{"id":"i"}');
  INSERT INTO runs VALUES ('r', 's', 'own', 1000, NULL, 2000, '{}');
  INSERT INTO asks VALUES ('k', 's', 'r', 'q', 'open', 1500, '{}');
  INSERT INTO prompts VALUES ('p', 's', 1, 'go on', '[]', 0, NULL, 1600);
  INSERT INTO orders VALUES ('o', 's', 'own', '{}');
  INSERT INTO receipts VALUES ('c', 'd', 'POST /', 202, '{}', 1600);
  INSERT INTO devices VALUES ('d', 'phone', 'approver', '00', 1, NULL, 9000000000000);
  INSERT INTO settings VALUES ('own-runner', 'r1'), ('relay-runner', 'r2'),
    ('command-line-device', 'd1'), ('agents', '[]'),
    ('open-shells', '[{"id":"h1","runner":"r1"},{"id":"h2","runner":"r2"},{"id":"h3","runner":"r1"}]');
  INSERT INTO audit VALUES (1, 1000, 'paired', 'd', NULL, '{}',
    '${"00".repeat(32)}');
`;

test("[LG9] a database of version 1 is migrated and opens with everything that later versions added", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "signalbox.sqlite");
  const old = openForWriting(path, migrations.slice(0, 1));
  old.run(ofVersion1);
  const epoch = old.query("SELECT value FROM settings WHERE key = 'store.epoch'").get();
  old.close();
  await using store = await openStore(folder.path);
  expect(epoch).toEqual({ value: store.epoch });
  expect(await store.sessions()).toMatchObject([
    { id: "s", named: true, conversation: "c", colour: null },
  ]);
  expect(await store.progress("s")).toEqual({
    head: {
      session: "s",
      seq: 2,
      pos: 2,
      rev: 1,
      summary: '{"title":"a summary"}',
      checkpoint: 0,
      changes: null,
    },
    checkpoint: { session: "s", number: 0, state: '{"by":1}' },
  });
  expect((await store.linesAfter("s", 0, 10)).map(({ text }) => text)).toEqual([
    '{"type":"user"}',
    "hello",
  ]);
  expect(await store.itemsBefore("s", undefined, 10)).toHaveLength(1);
  expect(await store.countItems("s", 0)).toBe(1);
  expect(await store.run("r")).toMatchObject({ endedAt: 2000 });
  expect(await store.openAsks()).toHaveLength(1);
  expect(await store.prompts()).toHaveLength(1);
  expect(await store.orders("own")).toHaveLength(1);
  expect(await store.receipt("c")).toMatchObject({ status: 202 });
  expect(await store.devices()).toHaveLength(1);
  expect(await store.audit(0, 10)).toMatchObject([{ nth: 1, what: "paired" }]);
  const { machine } = store;
  expect(machine).toMatch(/^[0-9a-f]{32}$/);
  expect(await readOrAddMachineId(store, "own-runner")).toBe("r1");
  expect(await readOrAddMachineId(store, "relay-runner")).toBe("r2");
  expect(await store.setting(`command-line-device.${machine}`)).toBe("d1");
  expect([await store.setting("own-runner"), await store.setting("agents")]).toEqual([
    undefined,
    "[]",
  ]);
  expect(await store.setting("open-shells")).toBeUndefined();
  expect(await store.setting("open-shells.r1")).toBe(
    '[{"id":"h1","runner":"r1"},{"id":"h3","runner":"r1"}]',
  );
  expect(await store.setting("open-shells.r2")).toBe('[{"id":"h2","runner":"r2"}]');
  await store.commit([session("t"), line("s", 3)]);
  expect(await store.linesAfter("s", 2, 10)).toHaveLength(1);
});

test("[LG9] migrations run one at a time, and one that fails leaves the previous version", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "signalbox.sqlite");
  const later = [
    ...migrations,
    "CREATE TABLE later (x)",
    "CREATE TABLE halfway (x); SELECT nothing",
  ];
  expect(() => openForWriting(path, later)).toThrow("nothing");
  const db = new Database(path);
  const names = db.query("SELECT name FROM sqlite_schema WHERE name IN ('later', 'halfway')").all();
  expect(names).toEqual([{ name: "later" }]);
  expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: migrations.length + 1 });
  db.close();
});

test("[LG9] a database of a newer version is refused and left unchanged", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "signalbox.sqlite");
  openForWriting(path, [...migrations, "CREATE TABLE later (x)"]).close();
  const before = readFileSync(path);
  const failure = await openStore(folder.path).catch((error: unknown) => error);
  expect(String(failure)).toContain(
    `The database has version ${migrations.length + 1}, which is newer than this program supports (${migrations.length})`,
  );
  expect(readFileSync(path).equals(before)).toBe(true);
  openForWriting(path, [...migrations, "CREATE TABLE later (x)"]).close();
});
