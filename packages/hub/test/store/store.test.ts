import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Change, type LineRow, openStore, StoreError, type Store } from "@signalbox/hub/store";
import { audit, item, line, openFolder, session } from "./rows.ts";

setDefaultTimeout(180_000);

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  await using folder = await openFolder();
  await using store = await openStore(folder.path);
  await work(store);
}

async function failureOf(promise: Promise<unknown>): Promise<StoreError> {
  const error: unknown = await promise.catch((error: unknown) => error);
  if (error instanceof StoreError) return error;
  throw new Error("it did not fail");
}

function sha256(what: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(what).digest("hex");
}

test("[LG1] a commit of which one change is refused leaves nothing", () =>
  withStore(async (store) => {
    await store.commit([session("a"), line("a", 1)]);
    const failure = await failureOf(
      store.commit([session("b"), line("b", 1), item("b", 1), audit("made"), line("a", 1)]),
    );
    expect(failure.code).toBe("STORE_FAILED");
    expect(failure.why).toBe("refused");
    expect(failure.message).toContain("UNIQUE constraint failed");
    expect((await store.sessions()).map(({ id }) => id)).toEqual(["a"]);
    expect(await store.linesAfter("b", 0, 10)).toEqual([]);
    expect(await store.audit(0, 10)).toEqual([]);
    expect(store.health).toEqual({ writable: true });
  }));

test("[LG2] every kind of row is given back as it was handed over, also after reopening", async () => {
  await using folder = await openFolder();
  const rows = {
    session: rowOf(session("a", { title: "née\0 \u2028", pinned: true, bypassUntil: 1e13 })),
    progress: { session: "a", seq: 7, pos: 5, rev: 9, timeline: '{"open":[]}', summary: '{"s":1}' },
    run: {
      id: "r",
      session: "a",
      runner: "own",
      startedAt: 1.5,
      facts: null,
      endedAt: null,
      end: null,
    },
    ask: {
      id: "k",
      session: "a",
      run: "r",
      requestId: "q",
      status: "open",
      openedAt: 3,
      json: "{}",
    },
    prompt: {
      id: "p",
      session: "a",
      place: 1.5,
      text: "go",
      images: "[]",
      now: true,
      sentTo: null,
      at: 4,
    },
    memory: { session: "a", page: 3, keys: "0,281474976710655" },
    order: { id: "o", session: "a", runner: "own", json: "{}" },
    receipt: {
      id: "c",
      device: "d",
      request: "POST /",
      status: 202,
      body: "{}",
      at: 5,
      session: "a",
    },
    device: {
      id: "d",
      name: "phone",
      role: "approver",
      tokenHash: "00",
      publicKey: null,
      createdAt: 1,
      lastSeenAt: null,
      expiresAt: 2 ** 45,
    },
  } as const;
  const original = new Uint8Array([0x80, 0xff]);
  const lines = [
    line("a", 1, { text: '{"text":"née \u2028 𝄞 \\u0000"}' }),
    line("a", 2, { seq: null, run: null, from: "keeper", droppedBytes: 12, original }),
  ];
  {
    await using store = await openStore(folder.path);
    const changes = Object.entries(rows).map(([kind, row]) => ({ kind, row }) as Change);
    await store.commit([
      ...changes,
      ...lines,
      item("a", 1.5, { rev: 1 }),
      { kind: "setting", key: "agents", value: "[]" },
    ]);
  }
  await using store = await openStore(folder.path);
  expect(await store.sessions()).toEqual([rows.session]);
  expect(await store.progress("a")).toEqual(rows.progress);
  expect(await store.memories("a")).toEqual([rows.memory]);
  expect(await store.stored()).toEqual(new Map([["a", 7]]));
  expect(await store.summaries()).toEqual(new Map([["a", { summary: '{"s":1}', rev: 9 }]]));
  expect(await store.run("r")).toEqual(rows.run);
  expect(await store.openAsks()).toEqual([rows.ask]);
  expect(await store.ask("k")).toEqual(rows.ask);
  expect(await store.prompts()).toEqual([rows.prompt]);
  expect(await store.orders()).toEqual([rows.order]);
  expect(await store.receipt("c")).toEqual(rows.receipt);
  expect(await store.devices()).toEqual([rows.device]);
  expect(await store.setting("agents")).toBe("[]");
  const [first, second] = lines.map((change): LineRow => rowOf(change));
  if (!first || !second) throw new Error("two lines");
  expect(await store.linesAfter("a", 0, 10)).toEqual([
    first,
    { ...second, originalBlob: sha256(original) },
  ]);
  expect(await store.itemsBefore("a", undefined, 10)).toEqual([
    { session: "a", id: "item-1.5", order: 1.5, rev: 1, json: '{"id":"item-1.5"}' },
  ]);
  expect(await store.checkIntegrity()).toEqual([]);
});

function rowOf(change: Change): never {
  return ("row" in change ? change.row : undefined) as never;
}

test("[LG2] a row that is there is replaced, and what belongs to it stays", () =>
  withStore(async (store) => {
    await store.commit([session("a"), line("a", 1), item("a", 1)]);
    await store.commit([session("a", { title: "new", archived: true }), item("a", 1, { rev: 5 })]);
    const [row] = await store.sessions();
    expect(row).toMatchObject({ title: "new", archived: true });
    expect(await store.linesAfter("a", 0, 10)).toHaveLength(1);
    expect(await store.item("a", "item-1")).toMatchObject({ rev: 5 });
    await store.commit([{ kind: "items-cleared", session: "a" }]);
    expect(await store.countItems("a", 0)).toBe(0);
  }));

test("[LG2] commits are in the order in which they were handed over", () =>
  withStore(async (store) => {
    const settled: number[] = [];
    const commits = Array.from({ length: 500 }, (_, at) =>
      store
        .commit([session("a", { title: String(at) }), audit("made", { at })])
        .then(() => settled.push(at)),
    );
    await Promise.all(commits);
    expect(settled).toEqual(settled.toSorted((a, b) => a - b));
    expect((await store.sessions())[0]?.title).toBe("499");
    const told = await store.audit(0, 1000);
    expect(told.map(({ facts }) => facts["at"])).toEqual(Array.from({ length: 500 }, (_, n) => n));
  }));

test("[LG4] a commit that is refused takes none of its neighbours with it", () =>
  withStore(async (store) => {
    await store.commit([session("a"), line("a", 1)]);
    const results = await Promise.allSettled([
      store.commit([line("a", 2), audit("two")]),
      store.commit([audit("refused"), line("a", 1)]),
      store.commit([line("nobody", 1)]),
      store.commit([line("a", 3), audit("three")]),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect((await store.linesAfter("a", 0, 10)).map(({ pos }) => pos)).toEqual([1, 2, 3]);
    expect((await store.audit(0, 10)).map(({ what }) => what)).toEqual(["two", "three"]);
    expect((await store.verifyAudit()).broken).toBeUndefined();
  }));

test("[LG4] a receipt is written once", () =>
  withStore(async (store) => {
    const row = {
      id: "c",
      device: "d",
      request: "POST /",
      status: 202,
      body: "{}",
      at: 5,
      session: null,
    };
    await store.commit([{ kind: "receipt", row }]);
    const again = store.commit([{ kind: "receipt", row: { ...row, body: "[]" } }]);
    expect((await failureOf(again)).why).toBe("refused");
    expect((await store.receipt("c"))?.body).toBe("{}");
  }));

test("[LG5] long texts and bytes are stored once and given back whole", () =>
  withStore(async (store) => {
    const text = JSON.stringify("é𝄞".repeat(20_000));
    const original = new Uint8Array(40_000).fill(0xff);
    const long = line("a", 1, { text, original });
    const edge = line("a", 2, { text: "x".repeat(32 * 1024) });
    await store.commit([session("a"), session("b"), long, edge, line("b", 1, { text })]);
    const blobs = { textBlob: sha256(text), originalBlob: sha256(original) };
    expect(await store.linesAfter("a", 0, 10)).toEqual([
      { ...(rowOf(long) as LineRow), ...blobs },
      rowOf(edge),
    ]);
    expect((await store.linesBefore("b", undefined, 10))[0]?.text).toBe(text);
    const bytes = new TextEncoder().encode(text);
    const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    expect(await store.blobSize(hash)).toBe(bytes.length);
    expect(await store.blob(hash)).toEqual(bytes);
    expect(await store.blob(hash, { start: 3, end: 9 })).toEqual(bytes.slice(3, 9));
    expect(await store.blob("none")).toBeUndefined();
    const edgeHash = new Bun.CryptoHasher("sha256").update("x".repeat(32 * 1024)).digest("hex");
    expect(await store.blobSize(edgeHash)).toBeUndefined();
  }));

test("[LG20] what is very long is stored in pieces, is a blob when all are there, and goes when they are not", async () => {
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
    expect((await failureOf(store.commit([blob("x"), line("a", 1, row)]))).why).toBe("refused");
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

test("[LG6] with a session goes what belongs to it, and what only it holds", () =>
  withStore(async (store) => {
    const text = "shared".repeat(10_000);
    const bytes = new TextEncoder().encode("own");
    await store.commit([
      session("a"),
      session("b"),
      line("a", 1, { text }),
      line("b", 1, { text }),
      item("a", 1),
      { kind: "order", row: { id: "o", session: "a", runner: "own", json: "{}" } },
      { kind: "blob", session: "a", hash: "own", bytes },
      audit("made"),
    ]);
    await store.commit([{ kind: "session-deleted", id: "a" }]);
    expect((await store.sessions()).map(({ id }) => id)).toEqual(["b"]);
    expect(await store.linesAfter("a", 0, 10)).toEqual([]);
    expect(await store.orders()).toEqual([]);
    expect(await store.countItems("a", 0)).toBe(0);
    expect(await store.blobSize("own")).toBeUndefined();
    expect((await store.linesAfter("b", 0, 10))[0]?.text).toBe(text);
    expect(await store.audit(0, 10)).toHaveLength(1);
    const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    expect(await store.blobSize(hash)).toBe(text.length);
    await store.commit([{ kind: "session-deleted", id: "b" }]);
    expect(await store.blobSize(hash)).toBeUndefined();
  }));

test("[LG7] pages of items and lines keep their limits and miss nothing", () =>
  withStore(async (store) => {
    const json = `"${"x".repeat(98)}"`;
    const items = Array.from({ length: 20 }, (_, at) =>
      item("a", at, { rev: Math.floor(at / 2) + 1, json }),
    );
    await store.commit([session("a"), ...items, line("a", 1), line("a", 2), line("a", 3)]);
    const seen: number[] = [];
    for (let rev = 0; ;) {
      const page = await store.itemsAfterRev("a", rev, 350);
      if (page.length === 0) break;
      expect(page.length).toBeLessThanOrEqual(4);
      seen.push(...page.map(({ order }) => order));
      rev = page.at(-1)?.rev ?? Number.NaN;
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, at) => at));
    expect(await store.itemsAfterRev("a", 0, 1)).toHaveLength(2);
    expect(await store.countItems("a", 9)).toBe(2);
    expect(await store.itemsContaining("a", "y", 3)).toEqual([]);
    const held = await store.itemsContaining("a", 'x"', 3);
    expect(held.map(({ order }) => order)).toEqual([17, 18, 19]);
    const newest = await store.itemsBefore("a", 10, 3);
    expect(newest.map(({ order }) => order)).toEqual([7, 8, 9]);
    expect(await store.linesAfter("a", 1, 10, 1)).toMatchObject([{ pos: 2 }]);
    expect(await store.linesBefore("a", 3, 1)).toMatchObject([{ pos: 2 }]);
  }));

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

test("a store that is closed has written what it was given, and takes no more", async () => {
  await using folder = await openFolder();
  const store = await openStore(folder.path);
  const last = store.commit([session("a")]);
  await store[Symbol.asyncDispose]();
  await last;
  expect((await failureOf(store.commit([session("b")]))).why).toBe("closed");
  expect((await failureOf(store.sessions())).why).toBe("closed");
  await using again = await openStore(folder.path);
  expect(again.epoch).toBe(store.epoch);
  expect((await again.sessions()).map(({ id }) => id)).toEqual(["a"]);
});
