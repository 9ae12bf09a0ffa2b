import { expect, setDefaultTimeout, test } from "bun:test";
import { Database } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BackupError, makeBackup, restoreBackup } from "@signalbox/hub/backup";
import { FolderLockedError } from "@signalbox/hub/data";
import { openStore } from "@signalbox/hub/store";
import { Settings } from "../../src/services/settings.ts";
import { createAuditChange } from "../../src/store/audit-change.ts";
import { createSigningKey } from "@signalbox/runner/keys";
import { line, openFolder, session } from "../store/rows.ts";
import { RunnerLinks } from "../../src/link/runner-links.ts";
import { DriverCatalog } from "../../src/services/driver-catalog.ts";

const drivers = new DriverCatalog(new RunnerLinks());

setDefaultTimeout(180_000);

const refusal = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: unknown) => error as Error,
    );

/** A data folder with a store in use, and what else a hub leaves there. */
async function openUsed(folder: string) {
  const store = await openStore(folder);
  await store.commit([session("a"), line("a", 1), line("a", 2)]);
  mkdirSync(join(folder, "runner/spill"), { recursive: true });
  mkdirSync(join(folder, "runner/agents/x"), { recursive: true });
  const others = {
    "some-key": "a key",
    "runner/spill/one.spill": "a line",
    "hub.json": "{}",
    "hub.log": "told",
    "hub.log.1": "told before",
    "runner/runner.lock": "",
    "runner/agents/x/agent.js": "a program",
  };
  for (const [name, text] of Object.entries(others)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  return store;
}

test("[LG25] a backup that is made while the hub writes is whole, and comes back as it was", async () => {
  await using folder = await openFolder();
  await using place = await openFolder();
  const file = join(place.path, "hub.backup");
  const store = await openUsed(folder.path);
  const { epoch } = store;
  let pos = 2;
  const writing = { on: true };
  const written = (async () => {
    while (writing.on) await store.commit([line("a", ++pos, { text: "x".repeat(2000) })]);
  })();
  const before = pos;
  // In a process of its own, as the command line makes it.
  const script = `import { makeBackup } from "@signalbox/hub/backup"; console.log(JSON.stringify(makeBackup(process.argv[1], process.argv[2])))`;
  const child = Bun.spawn([process.execPath, "-e", script, folder.path, file], {
    cwd: import.meta.dir,
    stdout: "pipe",
    stderr: "inherit",
  });
  const made = JSON.parse(await new Response(child.stdout).text()) as { files: number };
  writing.on = false;
  await written;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(made.files).toBe(2);
  expect(store.health).toEqual({ writable: true });
  await store[Symbol.asyncDispose]();
  expect(readdirSync(place.path)).toEqual(["hub.backup"]);

  await using other = await openFolder();
  const restored = await restoreBackup(other.path, file);
  expect(restored).toMatchObject({ previousState: undefined, files: 2 });
  expect(readFileSync(join(other.path, "some-key"), "utf8")).toBe("a key");
  expect(statSync(join(other.path, "some-key")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(other.path, "runner/spill/one.spill"), "utf8")).toBe("a line");
  for (const name of ["hub.json", "hub.log", "hub.log.1", "runner/agents"]) {
    expect(existsSync(join(other.path, name))).toBe(false);
  }
  await using again = await openStore(other.path);
  const lines = await again.linesAfter("a", 0, 1_000_000);
  expect(lines.length).toBeGreaterThanOrEqual(before);
  expect(lines.map(({ pos }) => pos)).toEqual(lines.map((_, at) => at + 1));
  expect(await again.checkIntegrity()).toEqual([]);
  expect(again.epoch).not.toBe(epoch); // clients must not take revisions of before for those of now
  expect((await again.auditBefore(undefined, 1))[0]).toMatchObject({ what: "restored" });
});

test("[LG25] a restore keeps what was there before", async () => {
  await using folder = await openFolder();
  await using place = await openFolder();
  const file = join(place.path, "backup");
  const store = await openUsed(folder.path);
  makeBackup(folder.path, file);
  await store.commit([session("later")]);
  writeFileSync(join(folder.path, "some-key"), "a newer key");
  await store[Symbol.asyncDispose]();
  const { previousState: aside } = await restoreBackup(folder.path, file);
  expect(readFileSync(join(aside ?? "", "some-key"), "utf8")).toBe("a newer key");
  expect(readFileSync(join(folder.path, "some-key"), "utf8")).toBe("a key");
  {
    await using now = await openStore(folder.path);
    expect((await now.sessions()).map(({ id }) => id)).toEqual(["a"]);
  }
  await using old = await openStore(aside ?? "");
  expect((await old.sessions()).map(({ id }) => id)).toEqual(["a", "later"]);
});

test("[LG25] a restore is refused while a hub or its runner works, and nothing is changed", async () => {
  await using folder = await openFolder();
  await using place = await openFolder();
  const file = join(place.path, "backup");
  const store = await openUsed(folder.path);
  makeBackup(folder.path, file);
  const failure = await refusal(() => restoreBackup(folder.path, file));
  expect(failure).toBeInstanceOf(FolderLockedError);
  await store[Symbol.asyncDispose]();
  const runner = new Database(join(folder.path, "runner/runner.lock"));
  runner.run("BEGIN EXCLUSIVE");
  const names = readdirSync(folder.path);
  expect(await refusal(() => restoreBackup(folder.path, file))).toBeInstanceOf(FolderLockedError);
  expect(readdirSync(folder.path)).toEqual(names);
  runner.close();
});

test("[LG25] what is no backup, is damaged or would write elsewhere is refused, and nothing is changed", async () => {
  await using folder = await openFolder();
  await using place = await openFolder();
  const file = join(place.path, "backup");
  await (await openUsed(folder.path))[Symbol.asyncDispose]();
  makeBackup(folder.path, file);
  expect(await refusal(() => makeBackup(folder.path, file))).toBeInstanceOf(BackupError);
  const names = readdirSync(folder.path);
  const refused = async (name: string, bytes: Buffer | undefined) => {
    const path = join(place.path, name);
    if (bytes) writeFileSync(path, bytes);
    const failure = await refusal(() => restoreBackup(folder.path, path));
    expect([name, failure?.name]).toEqual([name, "BackupError"]);
  };
  const sound = readFileSync(file);
  await refused("missing", undefined);
  await refused("empty", Buffer.alloc(0));
  await refused("text", Buffer.from("no database".repeat(1000)));
  await refused("half", sound.subarray(0, sound.length >> 1));
  for (const path of ["../outside", "/tmp/outside", "a/../../outside", "signalbox.sqlite-wal"]) {
    writeFileSync(join(place.path, "tampered"), sound);
    const db = new Database(join(place.path, "tampered"));
    db.run("UPDATE backupFiles SET path = ? WHERE path = 'some-key'", [path]);
    db.close();
    await refused("tampered", undefined);
  }
  expect(readdirSync(folder.path).filter((name) => !name.startsWith("hub."))).toEqual(
    names.filter((name) => !name.startsWith("hub.")),
  );
});

const hubId = randomUUID();
const hubKey = createSigningKey().pkcs8;

/** What a hub and a runner keep as private keys, by the names of their files. */
const keyFiles = {
  "identity.json": JSON.stringify({ hub: hubId, privateKey: hubKey }),
  "command-line.key": "key-of-the-command-line",
  "runners/elsewhere/credential.json": "key-of-this-machine",
};

/** A used data folder with keys, and a device that knows the hub by them. */
async function openWithKeys(folder: string) {
  const store = await openUsed(folder);
  await store.commit([
    { kind: "setting", key: "hub-id", value: hubId },
    { kind: "setting", key: "hub-key", value: "key-of-the-version-before" },
  ]);
  mkdirSync(join(folder, "runners/elsewhere"), { recursive: true });
  for (const [name, text] of Object.entries(keyFiles)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  await store[Symbol.asyncDispose]();
  const db = new Database(join(folder, "signalbox.sqlite"));
  const columns = db.query<{ name: string; type: string; notnull: number }, []>(
    "PRAGMA table_info(devices)",
  );
  const needed = columns.all().filter(({ notnull, name }) => notnull === 1 || name === "id");
  const values = needed.map(({ type }) => (type === "TEXT" ? "x" : 1));
  const names = needed.map(({ name }) => `"${name}"`).join();
  db.run(`INSERT INTO devices (${names}) VALUES (${needed.map(() => "?").join()})`, values);
  db.close();
}

const devicesIn = (folder: string) => {
  using db = new Database(join(folder, "signalbox.sqlite"));
  return db.query("SELECT 1 FROM devices").all().length;
};

test("[LG25] a backup holds no private key unless that is asked for", async () => {
  await using folder = await openFolder();
  await using place = await openFolder();
  await openWithKeys(folder.path);
  const [plain, full] = [join(place.path, "plain"), join(place.path, "full")];
  makeBackup(folder.path, plain);
  makeBackup(folder.path, full, { withKeys: true });
  const keys = [...readFileSync(full, "latin1").matchAll(/key-of-[a-z-]+/g)].map(String);
  expect(new Set(keys).size).toBe(3);
  expect(readFileSync(full, "latin1")).toContain(hubKey);
  expect(readFileSync(plain, "latin1")).not.toContain("key-of-");
  expect(readFileSync(plain, "latin1")).not.toContain(hubKey);
  await using other = await openFolder();
  expect(await restoreBackup(other.path, full)).toMatchObject({ keys: "backup" });
  expect(readFileSync(join(other.path, "identity.json"), "utf8")).toContain(hubKey);
  expect(devicesIn(other.path)).toBe(1);
});

test("[LG25] a backup without keys has no secret of an environment profile, and the restored hub says which is missing", async () => {
  await using folder = await openFolder();
  await using place = await openFolder();
  await openWithKeys(folder.path);
  {
    await using store = await openStore(folder.path);
    const profiles = { work: { API_KEY: "secret-of-work", HOME_OF: { value: "/home/me" } } };
    const value = JSON.stringify(profiles);
    await store.commit([{ kind: "setting", key: "environments", value }]);
  }
  const [plain, full] = [join(place.path, "plain"), join(place.path, "full")];
  makeBackup(folder.path, plain);
  makeBackup(folder.path, full, { withKeys: true });
  expect(readFileSync(full, "latin1")).toContain("secret-of-work");
  expect(readFileSync(plain, "latin1")).not.toContain("secret-of-work");
  await using other = await openFolder();
  await restoreBackup(other.path, plain);
  await using restored = await openStore(other.path);
  const settings = new Settings(restored, drivers);
  await settings.load();
  const listed = { work: { API_KEY: null, HOME_OF: { value: "/home/me" } } };
  expect(settings.environments).toEqual(listed);
  const why = await refusal(() => settings.environment("work"));
  expect(why?.message).toContain('The environment profile "work" has no value for API_KEY');
  const entry = (facts: object) => createAuditChange("environments-set", null, null, { ...facts });
  await settings.setEnvironments({ ...listed, more: {} }, entry); // others can be changed meanwhile
  await settings.setEnvironments({ work: { API_KEY: "entered", HOME_OF: null } }, entry);
  expect(settings.environment("work")).toEqual({ API_KEY: "entered", HOME_OF: "/home/me" });
});

test("[LG25] a backup without keys goes on with those of the folder; where there are none, nobody is let in as before", async () => {
  await using folder = await openFolder();
  await using place = await openFolder();
  await openWithKeys(folder.path);
  const file = join(place.path, "backup");
  makeBackup(folder.path, file);
  expect(await restoreBackup(folder.path, file)).toMatchObject({ keys: "folder" });
  for (const [name, text] of Object.entries(keyFiles)) {
    expect(readFileSync(join(folder.path, name), "utf8")).toBe(text);
    expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o600);
  }
  expect(devicesIn(folder.path)).toBe(1);
  await using empty = await openFolder();
  expect(await restoreBackup(empty.path, file)).toMatchObject({ keys: "none" });
  expect(devicesIn(empty.path)).toBe(0);
  await using others = await openFolder();
  const another = { hub: randomUUID(), privateKey: createSigningKey().pkcs8 };
  // One of the same hub that began to sign with an entry which the backup lacks vouches for nobody in it.
  const later = { hub: hubId, privateKey: hubKey, auditStart: { nth: 9, hash: "0".repeat(64) } };
  for (const identity of [another, later]) {
    const path = join(others.path, "identity.json");
    writeFileSync(path, JSON.stringify(identity), { mode: 0o600 });
    expect(await restoreBackup(others.path, file)).toMatchObject({ keys: "none" });
    expect(existsSync(path)).toBe(false);
    expect(devicesIn(others.path)).toBe(0);
  }
});
