import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Change, openStore, type Store } from "@signalbox/hub/store";
import { OwnedStore } from "./owned-store.ts";
import { line, openFolder, session } from "./rows.ts";
import { getStoreError, storeContract } from "./store-contract.ts";

setDefaultTimeout(180_000);

storeContract("the SQLite store", openStore);

const owners = new WeakMap<Store, OwnedStore>();
storeContract(
  "a store whose runners other hubs can claim",
  async (folder) => {
    const owned = new OwnedStore(await openStore(folder));
    const { store } = owned;
    owners.set(store, owned);
    return store;
  },
  async (store, runner) => void owners.get(store)?.takeOver(runner),
);

test("[LG20] very long data is stored in pieces, becomes a blob when all are there, and is deleted otherwise", async () => {
  await using folder = await openFolder();
  const piece = (of: string, start: number, text: string): Change => {
    return { kind: "piece", of, start, bytes: new TextEncoder().encode(text) };
  };
  const blob = (of: string, session = "a"): Change => {
    return { kind: "blob-of-pieces", session, hash: "h", of, size: 9 };
  };
  const row = { text: "abc", textBlob: "h", characters: 9 };
  {
    await using store = await openStore(folder.path);
    await store.commit([session("a"), session("b"), piece("x", 0, "abc"), piece("x", 3, "def")]);
    expect((await getStoreError(store.commit([blob("x"), line("a", 1, row)]))).why).toBe("refused");
    expect(await store.linesAfter("a", 0, 10)).toEqual([]);
    await store.commit([piece("x", 6, "ghi"), piece("lost", 0, "abc")]);
    await store.commit([blob("x"), line("a", 1, row)]);
    for (const start of [0, 3, 6]) await store.commit([piece("y", start, "abc")]);
    await store.commit([blob("y", "b"), line("b", 1, row)]); // the same again
  }
  const count = () => {
    const db = new Database(join(folder.path, "signalbox.sqlite"), { readonly: true });
    const found = db.query(`SELECT DISTINCT "of" FROM pieces`).all();
    db.close();
    return found.length;
  };
  await using store = await openStore(folder.path);
  expect(count()).toBe(1);
  expect(await store.linesAfter("a", 0, 10)).toMatchObject([{ text: "abc", characters: 9 }]);
  expect(await store.blobSize("h")).toBe(9);
  expect(new TextDecoder().decode(await store.blob("h"))).toBe("abcdefghi");
  for (let start = 0; start < 9; start++) {
    for (let end = start; end <= 10; end++) {
      const part = new TextDecoder().decode(await store.blob("h", { start, end }));
      expect(part).toBe("abcdefghi".slice(start, end));
    }
  }
  await store.commit([{ kind: "session-deleted", id: "a" }]);
  expect(await store.blobSize("h")).toBe(9);
  await store.commit([piece("z", 0, "abc"), { kind: "pieces-gone", of: "z" }]);
  await store.commit([{ kind: "session-deleted", id: "b" }]);
  expect(await store.blobSize("h")).toBeUndefined();
  expect(count()).toBe(0);
});

test("[LG31] a hub that starts deletes its own incomplete pieces, and leaves those that hubs of other machines receive", async () => {
  await using folder = await openFolder();
  const bytes = Buffer.from("abc");
  {
    await using store = await openStore(folder.path);
    await store.commit([{ kind: "piece", of: "ours", start: 0, bytes }]);
    await store.commit([{ kind: "piece", of: "theirs", start: 0, bytes }]);
  }
  const path = join(folder.path, "signalbox.sqlite");
  const db = new Database(path);
  const pieces = db.query(`SELECT "of" FROM pieces ORDER BY "of"`);
  expect(pieces.all()).toEqual([{ of: "ours" }, { of: "theirs" }]);
  db.run(`UPDATE pieces SET "machine" = 'another' WHERE "of" = 'theirs'`);
  pieces.finalize();
  db.close();
  await (await openStore(folder.path))[Symbol.asyncDispose]();
  using after = new Database(path, { readonly: true });
  expect(after.query(`SELECT "of" FROM pieces`).all()).toEqual([{ of: "theirs" }]);
});

test("[LG19] the newest receipts are kept", async () => {
  await using folder = await openFolder();
  await (await openStore(folder.path))[Symbol.asyncDispose]();
  const db = new Database(join(folder.path, "signalbox.sqlite"));
  db.run(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100010)
    INSERT INTO receipts SELECT 'r' || n, 'd', '', 200, '', 0, NULL FROM numbers`);
  db.close();
  await using store = await openStore(folder.path);
  expect(await store.receipt("r10")).toBeUndefined();
  expect(await store.receipt("r11")).toBeDefined();
  expect(await store.receipt("r100010")).toBeDefined();
});
