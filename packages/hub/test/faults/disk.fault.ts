import { hasStrace, isRoot } from "@signalbox/testing/machine";
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { openStore, StoreError } from "@signalbox/hub/store";
import { audit, line, openFolder, session } from "../store/rows.ts";
import { openSmallDisk } from "@signalbox/testing/small-disk";
import { lookAt, makeStore, traced } from "./trace.ts";

test.if(isRoot)(
  "[LG16] a full disk stops the store, room lets it go on, and there is no gap",
  async () => {
    await using disk = await openSmallDisk("16m");
    const data = join(disk.path, "data");
    await makeStore(data);
    let resolved = 0;
    {
      await using store = await openStore(data, { retryMs: 20 });
      const write = (n: number) => {
        const text = JSON.stringify({ n, pad: "x".repeat(20_000) });
        return store.commit([line("s", n, { text }), audit("wrote", { n })]);
      };
      let failure: unknown;
      while (!failure) {
        failure = await write(resolved + 1).catch((error: unknown) => error);
        if (!failure) resolved += 1;
      }
      expect(failure).toBeInstanceOf(StoreError);
      expect((failure as StoreError).why).toBe("disk-full");
      expect(store.health).toMatchObject({ writable: false, why: "disk-full" });
      expect(resolved).toBeGreaterThan(100);
      // Full is full: what comes now is refused at once, and everything stored can be read.
      expect(await write(resolved + 1).catch(() => "refused")).toBe("refused");
      const last = await store.linesBefore("s", undefined, 1);
      expect(last[0]?.pos).toBe(resolved);
      // Said with the room that was set aside.
      expect((await store.auditBefore(undefined, 1))[0]).toMatchObject({
        what: "store-stopped",
        facts: { why: "disk-full" },
      });
      const { promise, resolve } = Promise.withResolvers<void>();
      store.onHealth((health) => health.writable && resolve());
      disk.grow("64m");
      await promise;
      for (let more = 0; more < 50; more++) await write(++resolved);
      expect(statSync(join(data, "reserve")).size).toBe(1024 * 1024);
      const told = await store.audit(0, 10_000);
      expect(told.map(({ what }) => what).filter((what) => what !== "wrote")).toEqual([
        "store-stopped",
        "store-resumed",
      ]);
    }
    await lookAt(data, resolved);
  },
);

test.if(isRoot)(
  "[LG18] on a read-only disk everything can be read and nothing be written",
  async () => {
    await using disk = await openSmallDisk("16m");
    const data = join(disk.path, "data");
    await makeStore(data);
    disk.freeze();
    await using store = await openStore(data);
    expect(store.health).toMatchObject({ writable: false, why: "read-only" });
    expect(await store.sessions()).toMatchObject([{ id: "s" }]);
    const failure: unknown = await store.commit([session("t")]).catch((error: unknown) => error);
    expect((failure as StoreError).why).toBe("read-only");
  },
);

test.if(isRoot)(
  "[LG18] …also what a hub that was killed had not folded into the database",
  async () => {
    await using disk = await openSmallDisk("16m");
    const script = join(import.meta.dir, "../data/hold-store.ts");
    const data = join(disk.path, "data");
    const child = spawn(process.execPath, [script, data], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const gone = once(child, "close");
    child.kill("SIGKILL");
    await gone;
    expect(existsSync(join(data, "signalbox.sqlite-wal"))).toBe(true);
    disk.freeze();
    await using store = await openStore(data);
    expect(store.health).toMatchObject({ writable: false, why: "read-only" });
    expect(store.epoch).toHaveLength(32);
  },
);

test.if(isRoot)("[LG18] an empty read-only folder gives an empty store", async () => {
  await using disk = await openSmallDisk("16m");
  disk.freeze();
  await using store = await openStore(disk.path);
  expect(store.health).toMatchObject({ writable: false, why: "read-only" });
  expect(await store.sessions()).toEqual([]);
});

test.if(hasStrace)(
  "[LG18] a disk that becomes read-only under a running hub stops it, and it goes on after",
  async () => {
    await using folder = await openFolder();
    await makeStore(folder.path);
    const inject = "pwrite64:error=EROFS:when=20..24";
    const { news, code } = await traced(inject, "faulty-writer.ts", [folder.path, "12"]);
    expect(code).toBe(0);
    expect(news.some(({ rejected }) => rejected !== undefined)).toBe(true);
    await lookAt(folder.path, 12);
  },
);
