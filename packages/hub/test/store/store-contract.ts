import { describe, expect, test } from "bun:test";
import { type Change, type LineRow, type Store, StoreError } from "@signalbox/hub/store";
import { audit, item, line, openFolder, session } from "./rows.ts";

/**
 * The rules of docs/spec/store.md that every store keeps. `open` opens the store that lies in a folder.
 * `takeOver` lets another hub claim a runner of a store that several hubs can share.
 */
export function storeContract(
  name: string,
  open: (folder: string) => Promise<Store>,
  takeOver?: (store: Store, runner: string) => Promise<void>,
): void {
  async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
    await using folder = await openFolder();
    await using store = await open(folder.path);
    await work(store);
  }

  describe(`${name} keeps the store contract`, () => {
    test("[LG1] a commit with one refused change stores nothing", () =>
      withStore(async (store) => {
        await store.commit([session("a"), line("a", 1)]);
        const failure = await getStoreError(
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

    test("[LG2] every kind of row is returned as it was passed in, also after reopening", async () => {
      await using folder = await openFolder();
      const rows = {
        session: createRow(
          session("a", { title: "née\0 \u2028", pinned: true, bypassUntil: 1e13, run: "r" }),
        ),
        head: {
          session: "a",
          seq: 7,
          pos: 5,
          rev: 9,
          summary: '{"s":1}',
          checkpoint: 2,
          changes: '{"set":1}',
        },
        checkpoint: { session: "a", number: 2, state: '{"open":[]}' },
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
          context: '{"title":"t","data":{}}',
          now: true,
          sentTo: null,
          at: 4,
          seal: "s",
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
        await using store = await open(folder.path);
        const changes = Object.entries(rows).map(([kind, row]) => ({ kind, row }) as Change);
        await store.commit([
          ...changes,
          ...lines,
          item("a", 1.5, { rev: 1 }),
          { kind: "setting", key: "agents", value: "[]" },
        ]);
      }
      await using store = await open(folder.path);
      expect(await store.sessions()).toEqual([rows.session]);
      expect(await store.head("a")).toEqual(rows.head);
      const { head, checkpoint } = rows;
      expect(await store.progress("a")).toEqual({ head, checkpoint });
      expect(await store.idPages("a")).toEqual([rows.memory]);
      expect(await store.storedSessions()).toEqual([
        { row: rows.session, run: rows.run, head: { summary: '{"s":1}', rev: 9 } },
      ]);
      expect(await store.run("r")).toEqual(rows.run);
      expect(await store.openAsks()).toEqual([rows.ask]);
      expect(await store.ask("k")).toEqual(rows.ask);
      expect(await store.prompts()).toEqual([rows.prompt]);
      expect(await store.orders("own")).toEqual([rows.order]);
      expect(await store.receipt("c")).toEqual(rows.receipt);
      expect(await store.devices()).toEqual([rows.device]);
      expect(await store.setting("agents")).toBe("[]");
      const [first, second] = lines.map((change): LineRow => createRow(change));
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

    test("[LG2] an existing row is replaced, and the rows that belong to it stay", () =>
      withStore(async (store) => {
        await store.commit([session("a"), line("a", 1), item("a", 1)]);
        await store.commit([
          session("a", { title: "new", archived: true }),
          item("a", 1, { rev: 5 }),
        ]);
        const [row] = await store.sessions();
        expect(row).toMatchObject({ title: "new", archived: true });
        expect(await store.linesAfter("a", 0, 10)).toHaveLength(1);
        expect(await store.item("a", "item-1")).toMatchObject({ rev: 5 });
        await store.commit([{ kind: "items-cleared", session: "a" }]);
        expect(await store.countItems("a", 0)).toBe(0);
        const head = { session: "a", seq: 1, pos: 1, rev: 1, summary: "{}", checkpoint: 1 };
        await store.commit([{ kind: "head", row: { ...head, changes: "{}" } }]);
        expect((await store.progress("a"))?.checkpoint).toBeUndefined();
        await store.commit([
          { kind: "checkpoint", row: { session: "a", number: 1, state: "1" } },
          { kind: "checkpoint", row: { session: "a", number: 2, state: "2" } },
          { kind: "head", row: { ...head, seq: 2, checkpoint: 2, changes: null } },
        ]);
        expect(await store.progress("a")).toMatchObject({
          head: { seq: 2, changes: null },
          checkpoint: { number: 2, state: "2" },
        });
      }));

    test("[LG2] commits are stored in the order in which they were made", () =>
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
        expect(told.map(({ facts }) => facts["at"])).toEqual(
          Array.from({ length: 500 }, (_, n) => n),
        );
      }));

    test("[LG4] a refused commit does not affect the other commits of its transaction", () =>
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

    test("[LG29] of two commits that answer a command, add a setting or close an ask the first one counts, and the second stores nothing", () =>
      withStore(async (store) => {
        const receipt = {
          id: "c",
          device: "d",
          request: "POST /",
          status: 202,
          at: 5,
          session: null,
        };
        const ask = { id: "k", session: "a", run: "r", requestId: "q", openedAt: 3 };
        await store.commit([
          session("a"),
          { kind: "ask", row: { ...ask, status: "open", json: "{}" } },
        ]);
        const writes: Record<string, (value: string) => Change> = {
          receipt: (value) => ({ kind: "receipt", row: { ...receipt, body: value } }),
          setting: (value) => ({ kind: "setting-added", key: "id", value }),
          ask: (value) => ({
            kind: "ask-closed",
            row: { ...ask, status: "answered", json: value },
          }),
        };
        for (const [what, write] of Object.entries(writes)) {
          const commits = ["first", "second"].map((value) =>
            store.commit([audit(`${what} ${value}`), write(value)]),
          );
          const [first, second] = await Promise.allSettled(commits);
          expect(first?.status).toBe("fulfilled");
          expect(second?.status === "rejected" && second.reason).toMatchObject({ why: "conflict" });
          expect((await getStoreError(store.commit([write("third")]))).why).toBe("conflict");
        }
        expect((await store.receipt("c"))?.body).toBe("first");
        expect(await store.setting("id")).toBe("first");
        expect(await store.ask("k")).toMatchObject({ status: "answered", json: "first" });
        expect(await store.openAsks()).toEqual([]);
        const entries = (await store.audit(0, 10)).map(({ what }) => what);
        expect(entries).toEqual(["receipt first", "setting first", "ask first"]);
      }));

    test("[LG29] what is not there cannot be closed, and a setting that is replaced later keeps its place", () =>
      withStore(async (store) => {
        const row = { id: "k", session: "a", run: "r", requestId: "q", openedAt: 3, json: "{}" };
        const close = store.commit([{ kind: "ask-closed", row: { ...row, status: "expired" } }]);
        expect((await getStoreError(close)).why).toBe("conflict");
        expect(await store.ask("k")).toBeUndefined();
        await store.commit([{ kind: "setting-added", key: "id", value: "1" }]);
        await store.commit([{ kind: "setting", key: "id", value: "2" }]);
        expect(await store.setting("id")).toBe("2");
        await store.commit([{ kind: "setting-gone", key: "id" }]);
        await store.commit([{ kind: "setting-added", key: "id", value: "3" }]);
        expect(await store.setting("id")).toBe("3");
      }));

    test("sessions are read with their newest runs and summaries at once, also those without any", () =>
      withStore(async (store) => {
        const run = { session: "a", runner: "own", startedAt: 1, facts: null, endedAt: null };
        await store.commit([
          session("b", { createdAt: 2 }),
          session("a", { createdAt: 3, run: "r2" }),
          session("c", { createdAt: 1, run: "lost" }),
          { kind: "run", row: { ...run, id: "r1", end: "first" } },
          { kind: "run", row: { ...run, id: "r2", end: "second" } },
        ]);
        const found = await store.storedSessions();
        expect(found.map(({ row, run, head }) => [row.id, run?.end, head])).toEqual([
          ["c", undefined, undefined],
          ["b", undefined, undefined],
          ["a", "second", undefined],
        ]);
        expect(found.map(({ row }) => row)).toEqual(await store.sessions());
      }));

    const claim = { runner: "own", process: "p", generation: 1 };
    test("[LG32] the hub that has claimed a runner writes for its sessions", () =>
      withStore(async (store) => {
        const fence = await store.claim(claim);
        await store.commit([session("a"), line("a", 1)], fence);
        const again = await store.claim({ ...claim, generation: 2 });
        await store.commit([line("a", 2)], again);
        expect(await store.linesAfter("a", 0, 10)).toHaveLength(2);
      }));

    if (takeOver) {
      test("[LG32] a commit for a runner that another hub has claimed is refused as moved, stores nothing and leaves the others alone", () =>
        withStore(async (store) => {
          const fence = await store.claim(claim);
          const other = await store.claim({ ...claim, runner: "other" });
          await store.commit([session("a"), session("b", { runner: "other" })], fence);
          await takeOver(store, "own");
          const results = await Promise.allSettled([
            store.commit([line("b", 1)], other),
            store.commit([line("a", 1), audit("late")], fence),
            store.commit([audit("of no runner")]),
          ]);
          expect(results.map(({ status }) => status)).toEqual([
            "fulfilled",
            "rejected",
            "fulfilled",
          ]);
          expect(results[1]?.status === "rejected" && results[1].reason).toMatchObject({
            code: "STORE_FAILED",
            why: "moved",
          });
          expect(await store.linesAfter("a", 0, 10)).toEqual([]);
          expect((await store.audit(0, 10)).map(({ what }) => what)).toEqual(["of no runner"]);
          expect(store.health).toEqual({ writable: true });
          await store.commit([line("a", 1)], await store.claim({ ...claim, process: "q" }));
          expect(await store.linesAfter("a", 0, 10)).toHaveLength(1);
        }));
    }

    test("the machine of a store stays the same", async () => {
      await using folder = await openFolder();
      const first = await open(folder.path);
      expect(first.machine).not.toBe("");
      await first[Symbol.asyncDispose]();
      await using second = await open(folder.path);
      expect(second.machine).toBe(first.machine);
    });

    test("[LG5] long texts and bytes are stored once and returned in full", () =>
      withStore(async (store) => {
        const text = JSON.stringify("é𝄞".repeat(20_000));
        const original = new Uint8Array(40_000).fill(0xff);
        const long = line("a", 1, { text, original });
        const edge = line("a", 2, { text: "x".repeat(32 * 1024) });
        await store.commit([session("a"), session("b"), long, edge, line("b", 1, { text })]);
        const blobs = { textBlob: sha256(text), originalBlob: sha256(original) };
        expect(await store.linesAfter("a", 0, 10)).toEqual([
          { ...(createRow(long) as LineRow), ...blobs },
          createRow(edge),
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

    test("[LG6] deleting a session deletes what belongs to it and the blobs that only it uses", () =>
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
        expect(await store.orders("own")).toEqual([]);
        expect(await store.countItems("a", 0)).toBe(0);
        expect(await store.blobSize("own")).toBeUndefined();
        expect((await store.linesAfter("b", 0, 10))[0]?.text).toBe(text);
        expect(await store.audit(0, 10)).toHaveLength(1);
        const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
        expect(await store.blobSize(hash)).toBe(text.length);
        await store.commit([{ kind: "session-deleted", id: "b" }]);
        expect(await store.blobSize(hash)).toBeUndefined();
      }));

    test("[LG7] pages of items and lines keep their limits and skip nothing", () =>
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

    test("a closed store has written every commit and accepts no more", async () => {
      await using folder = await openFolder();
      const store = await open(folder.path);
      const last = store.commit([session("a")]);
      await store[Symbol.asyncDispose]();
      await last;
      expect((await getStoreError(store.commit([session("b")]))).why).toBe("closed");
      expect((await getStoreError(store.sessions())).why).toBe("closed");
      await using again = await open(folder.path);
      expect(again.epoch).toBe(store.epoch);
      expect((await again.sessions()).map(({ id }) => id)).toEqual(["a"]);
    });
    test("orders are read by runner", () =>
      withStore(async (store) => {
        const order = (id: string, runner: string): Change => ({
          kind: "order",
          row: { id, session: "a", runner, json: "{}" },
        });
        await store.commit([
          session("a"),
          order("1", "own"),
          order("2", "other"),
          order("3", "own"),
        ]);
        expect((await store.orders("own")).map(({ id }) => id)).toEqual(["1", "3"]);
        await store.commit([{ kind: "order-done", id: "1" }]);
        expect((await store.orders("own")).map(({ id }) => id)).toEqual(["3"]);
        expect(await store.orders("nobody")).toEqual([]);
      }));
  });
}

export async function getStoreError(promise: Promise<unknown>): Promise<StoreError> {
  const error: unknown = await promise.catch((error: unknown) => error);
  if (error instanceof StoreError) return error;
  throw new Error("it did not fail");
}

function sha256(what: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(what).digest("hex");
}

function createRow(change: Change): never {
  return ("row" in change ? change.row : undefined) as never;
}
