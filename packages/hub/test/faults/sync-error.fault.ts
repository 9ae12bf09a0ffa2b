import { hasStrace } from "@signalbox/testing/machine";
import { expect, test } from "bun:test";
import { openFolder } from "../store/rows.ts";
import { lookAt, makeStore, traced } from "./trace.ts";

const COUNT = 12;

test.if(hasStrace)(
  "[LG17] after an error of fsync nothing is acknowledged until the database was checked",
  async () => {
    let failed = 0;
    for (let nth = 1; nth <= 14; nth++) {
      await using folder = await openFolder();
      await makeStore(folder.path);
      const inject = `fsync,fdatasync:error=EIO:when=${nth}`;
      const { news, code } = await traced(inject, "faulty-writer.ts", [folder.path, String(COUNT)]);
      expect(code).toBe(0);
      const at = news.findIndex(({ rejected }) => rejected !== undefined);
      if (at >= 0) {
        failed += 1;
        expect(news[at]?.why).toBe("io-error");
        const states = news.flatMap(({ health }) => (health ? [health.writable] : []));
        expect(states).toEqual([false, true]);
        const resumed = news.findIndex(({ health }) => health?.writable === true);
        expect(news.slice(at, resumed).some(({ resolved }) => resolved !== undefined)).toBe(false);
      }
      await lookAt(folder.path, COUNT);
    }
    expect(failed).toBeGreaterThanOrEqual(COUNT - 2);
  },
);

test.if(hasStrace)(
  "[LG17] a database that was damaged while the disk failed is found to be, and nothing is acknowledged",
  async () => {
    await using folder = await openFolder();
    await makeStore(folder.path);
    const inject = "fsync,fdatasync:error=EIO:when=6..9";
    const { news, code } = await traced(inject, "damaged-meanwhile.ts", [folder.path]);
    expect(code).toBe(0);
    const whys = news.flatMap(({ health }) => (health?.writable === false ? [health.why] : []));
    expect(whys[0]).toBe("io-error");
    expect(whys.at(-1)).toBe("damaged");
    expect(news.some(({ health }) => health?.writable === true)).toBe(false);
    expect(news.at(-1)).toEqual({ after: "refused" } as object);
  },
);

test.if(hasStrace)(
  "[LG17] a disk that goes on failing keeps the store closed, and heals by itself",
  async () => {
    await using folder = await openFolder();
    await makeStore(folder.path);
    const inject = "fsync,fdatasync:error=EIO:when=4..9";
    const { news, code } = await traced(inject, "faulty-writer.ts", [folder.path, String(COUNT)]);
    expect(code).toBe(0);
    expect(news.filter(({ health }) => health?.writable === false)).not.toEqual([]);
    await lookAt(folder.path, COUNT);
  },
);

test.if(hasStrace)(
  "[LG16] a write that finds no room is rejected, and all goes on when there is some",
  async () => {
    for (const when of ["11..15", "14..40", "25..60"]) {
      await using folder = await openFolder();
      await makeStore(folder.path);
      const inject = `pwrite64:error=ENOSPC:when=${when}`;
      const { news, code } = await traced(inject, "faulty-writer.ts", [folder.path, String(COUNT)]);
      expect(code).toBe(0);
      const whys = new Set(news.flatMap(({ why }) => (why ? [why] : [])));
      expect([...whys]).toEqual(["disk-full"]);
      await lookAt(folder.path, COUNT);
    }
  },
);

test.if(hasStrace)(
  "[LG17] a write that fails is rejected, and all goes on after a check",
  async () => {
    let rejections = 0;
    for (const nth of [10, 11, 12, 15, 19, 25, 33]) {
      await using folder = await openFolder();
      await makeStore(folder.path);
      const inject = `pwrite64:error=EIO:when=${nth}`;
      const { news, code } = await traced(inject, "faulty-writer.ts", [folder.path, String(COUNT)]);
      expect(code).toBe(0);
      rejections += news.filter(({ rejected }) => rejected !== undefined).length;
      await lookAt(folder.path, COUNT);
    }
    expect(rejections).toBeGreaterThanOrEqual(5);
  },
);
