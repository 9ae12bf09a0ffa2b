import { expect, setDefaultTimeout, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  DatabaseMissingError,
  openStore,
  type Store,
  StoreError,
  type StoreHealth,
} from "@signalbox/hub/store";
import { type Cell, END, pushChange } from "../../src/store/cells.ts";
import { Writer } from "../../src/store/writer.ts";
import { line, openFolder, session } from "./rows.ts";

setDefaultTimeout(180_000);

const ends = ["", "-wal", "-shm"];
const fileIn = (folder: string) => join(folder, "signalbox.sqlite");

/** A store with a session and lines in it, some of them in the database and some in its log. */
async function openUsed(folder: string, retryMs = 1000): Promise<Store> {
  {
    await using before = await openStore(folder);
    await before.commit([session("a"), line("a", 1), line("a", 2)]);
  }
  const store = await openStore(folder, { retryMs });
  await store.commit([line("a", 3)]);
  return store;
}

/** Settles when the store cannot be written any more. */
function stopped(store: Store): Promise<void> {
  return new Promise((resolve) => {
    const look = () => !store.health.writable && resolve();
    store.onHealth(look);
    look();
  });
}

/** Settles when the copy of what was stored has been named. */
function saved(store: Store): Promise<string> {
  return new Promise((resolve) => {
    const look = () => {
      const detail = store.health.writable ? "" : store.health.detail;
      const path = /saved in (\S+\.sqlite)/.exec(detail)?.[1];
      if (path !== undefined) resolve(path);
    };
    store.onHealth(look);
    look();
  });
}

const removals: readonly (readonly [string, (file: string) => void])[] = [
  ["all its files are deleted", (file) => ends.forEach((end) => rmSync(file + end))],
  ["the database alone is deleted", (file) => rmSync(file)],
  ["its log is deleted", (file) => rmSync(`${file}-wal`)],
  ["the log's index is deleted", (file) => rmSync(`${file}-shm`)],
  ["it is moved away", (file) => renameSync(file, `${file}.old`)],
  [
    "another file is put in its place",
    (file) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  ],
];

test.each(removals)(
  "[LG21] when %s under a running hub nothing more is acknowledged, and everything stored is saved",
  async (_, harm) => {
    await using folder = await openFolder();
    const store = await openUsed(folder.path, 3_600_000); // no look between commits
    harm(fileIn(folder.path));
    const failure: unknown = await store.commit([line("a", 4)]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreError);
    expect((failure as StoreError).why).toBe("files-changed");
    expect(store.health).toMatchObject({ writable: false, why: "files-changed" });
    const path = await saved(store);
    await store[Symbol.asyncDispose]();
    await using other = await openFolder();
    copyFileSync(path, fileIn(other.path));
    await using again = await openStore(other.path);
    const lines = await again.linesAfter("a", 0, 100);
    expect(lines.map(({ pos }) => pos)).toEqual([1, 2, 3]);
    expect(await again.checkIntegrity()).toEqual([]);
  },
);

test.each([
  ["the database is cut to nothing", "", 0],
  ["the database is cut to a page", "", 4096],
  ["the log is cut to nothing", "-wal", 0],
  ["the log is cut in the middle", "-wal", 4000],
] as const)(
  "[LG21] when %s nothing more is acknowledged, and the file is left unchanged",
  async (_, end, bytes) => {
    await using folder = await openFolder();
    const store = await openUsed(folder.path, 3_600_000);
    const file = fileIn(folder.path) + end;
    truncateSync(file, bytes);
    const cut = readFileSync(file);
    const failure: unknown = await store.commit([line("a", 4)]).catch((error: unknown) => error);
    expect((failure as StoreError).why).toBe("files-changed");
    expect((failure as StoreError).message).toContain(`${file} was truncated`);
    await store[Symbol.asyncDispose]();
    expect(readFileSync(file).equals(cut)).toBe(true);
  },
);

test("[LG21] missing files are noticed although nobody writes", async () => {
  await using folder = await openFolder();
  const store = await openUsed(folder.path, 20);
  for (const end of ends) rmSync(fileIn(folder.path) + end);
  await stopped(store);
  expect(store.health).toMatchObject({ why: "files-changed" });
  await store[Symbol.asyncDispose]();
});

test("[LG21] a folder that is moved away is noticed, and closing does not touch another folder in its place", async () => {
  await using place = await openFolder();
  const folder = join(place.path, "data");
  const store = await openUsed(folder, 20);
  renameSync(folder, join(place.path, "moved"));
  mkdirSync(folder);
  for (const end of ends) writeFileSync(fileIn(folder) + end, "somebody else's");
  await stopped(store);
  await store[Symbol.asyncDispose]();
  for (const end of ends) {
    expect(readFileSync(fileIn(folder) + end, "utf8")).toBe("somebody else's");
  }
});

/** Settles when the store can be written again. */
function resumed(store: Store): Promise<void> {
  return new Promise((resolve) => {
    const look = () => store.health.writable && resolve();
    store.onHealth(look);
    look();
  });
}

test("[LG21] a folder that was moved away and comes back is used again, with nothing lost", async () => {
  await using place = await openFolder();
  const folder = join(place.path, "data");
  await using store = await openUsed(folder, 20);
  for (let round = 0; round < 3; round++) {
    renameSync(folder, join(place.path, "moved"));
    await stopped(store);
    const failure: unknown = await store.commit([line("a", 99)]).catch((error: unknown) => error);
    expect((failure as StoreError).why).toBe("files-changed");
    renameSync(join(place.path, "moved"), folder);
    await resumed(store);
    await store.commit([line("a", 4 + round)]);
  }
  const lines = await store.linesAfter("a", 0, 100);
  expect(lines.map(({ pos }) => pos)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await store.checkIntegrity()).toEqual([]);
  expect((await store.auditBefore(undefined, 1))[0]).toMatchObject({ what: "store-resumed" });
});

test("[LG21] files that come back are used again, and copies of them are not", async () => {
  await using folder = await openFolder();
  await using store = await openUsed(folder.path, 20);
  const file = fileIn(folder.path);
  renameSync(file, `${file}.old`);
  await saved(store); // the copy does not keep it from going on
  copyFileSync(`${file}.old`, file);
  const failure: unknown = await store.commit([line("a", 4)]).catch((error: unknown) => error);
  expect((failure as StoreError).why).toBe("files-changed");
  renameSync(`${file}.old`, file);
  await resumed(store);
  await store.commit([line("a", 4)]);
  const lines = await store.linesAfter("a", 0, 100);
  expect(lines.map(({ pos }) => pos)).toEqual([1, 2, 3, 4]);
});

test("[LG21] when files that were removed during a write are back, the hub says that it has to be restarted", async () => {
  await using folder = await openFolder();
  const file = fileIn(folder.path);
  await (await openUsed(folder.path))[Symbol.asyncDispose]();
  const told: StoreHealth[] = [];
  const writer = new Writer(folder.path, (health) => told.push(health));
  writer.open();
  const cells: Cell[] = [];
  pushChange(cells, line("a", 4));
  cells.push(END);
  // Between the look before and the look after: reading the first cell is when the group is written.
  const moving = new Proxy(cells, {
    get(target, name) {
      if (existsSync(file)) renameSync(file, `${file}.old`);
      return Reflect.get(target, name) as unknown;
    },
  });
  expect(writer.write(moving)).toBeUndefined();
  renameSync(`${file}.old`, file);
  writer.retry();
  writer.retry();
  expect(told).toHaveLength(2);
  expect(told[1]).toMatchObject({ writable: false, why: "files-changed" });
  expect(JSON.stringify(told[1])).toContain("Restart the hub");
  writer.close();
  await using again = await openStore(folder.path);
  expect((await again.linesAfter("a", 0, 100)).map(({ pos }) => pos)).toEqual([1, 2, 3, 4]);
});

test.each([
  ["is missing", (file: string) => rmSync(file)],
  ["is empty", (file: string) => truncateSync(file, 0)],
] as const)(
  "[LG22] a database that %s beside other files of a hub is not created anew unless that was requested",
  async (_, harm) => {
    await using folder = await openFolder();
    await (await openUsed(folder.path))[Symbol.asyncDispose]();
    harm(fileIn(folder.path));
    const before = readdirSync(folder.path).filter((name) => name.startsWith("signalbox"));
    const failure: unknown = await openStore(folder.path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseMissingError);
    expect((failure as Error).message).toContain("signalbox restore FILE");
    expect((failure as Error).message).toContain("--new-database");
    const after = readdirSync(folder.path).filter((name) => name.startsWith("signalbox"));
    expect(after).toEqual(before);
    await using store = await openStore(folder.path, { newDatabase: true });
    expect(store.health).toEqual({ writable: true });
    expect(await store.sessions()).toEqual([]);
  },
);

test("[LG22] an empty folder, and one in which a hub only tried to start, get a new database", async () => {
  await using folder = await openFolder();
  writeFileSync(join(folder.path, "hub.lock"), "");
  await using store = await openStore(folder.path);
  expect(store.health).toEqual({ writable: true });
  expect(existsSync(fileIn(folder.path))).toBe(true);
});

test.each(["signalbox.sqlite", "signalbox.sqlite-wal", "reserve", "hub.log", "hub.lock"])(
  "[LG22] a folder named %s is refused with a sentence",
  async (name) => {
    await using folder = await openFolder();
    mkdirSync(join(folder.path, name));
    const failure: unknown = await openStore(folder.path).catch((error: unknown) => error);
    expect((failure as Error).name).toBe("FolderRefusedError");
    expect((failure as Error).message).toContain(join(folder.path, name));
  },
);
