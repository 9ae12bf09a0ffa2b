import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type AuditVerdict, openStore } from "@signalbox/hub/store";
import { audit, openFolder } from "./rows.ts";

setDefaultTimeout(180_000);

/** Ten entries, then what somebody does to the file while no hub runs, then what `verifyAudit` says. */
async function tampered(
  with_: (db: Database) => void,
): Promise<{ verdict: AuditVerdict; kept: AuditVerdict }> {
  await using folder = await openFolder();
  let head = "";
  {
    await using store = await openStore(folder.path);
    const news = Array.from({ length: 10 }, (_, at) => audit("answered", { at, tool: "Bash" }));
    await store.commit(news);
    head = await store.auditHead();
  }
  const db = new Database(join(folder.path, "signalbox.sqlite"));
  for (const name of ["auditIsNotChanged", "auditIsNotCut", "auditGrowsAtItsEnd"]) {
    db.run(`DROP TRIGGER ${name}`);
  }
  with_(db);
  db.close();
  await using store = await openStore(folder.path);
  return { verdict: await store.verifyAudit(), kept: await store.verifyAudit([head]) };
}

test("[LG10] an entry's hash is the SHA-256 of the hash before it and its canonical JSON", async () => {
  await using folder = await openFolder();
  await using store = await openStore(folder.path);
  expect(await store.auditHead()).toBe("0".repeat(64));
  await store.commit([audit("paired", { b: [{ d: 1, c: 2 }], a: "é" })]);
  await store.commit([audit("revoked")]);
  const hash = (before: string, json: string) =>
    createHash("sha256").update(`${before}\n${json}`).digest("hex");
  const first = hash(
    "0".repeat(64),
    '{"at":1000,"by":"device","facts":{"a":"é","b":[{"c":2,"d":1}]},"nth":1,"session":null,"what":"paired"}',
  );
  const second = hash(
    first,
    '{"at":1000,"by":"device","facts":{},"nth":2,"session":null,"what":"revoked"}',
  );
  expect((await store.audit(0, 10)).map((row) => row.hash)).toEqual([first, second]);
  expect((await store.auditBefore(undefined, 1)).map((row) => row.nth)).toEqual([2]);
  expect((await store.auditBefore(2, 10)).map((row) => row.nth)).toEqual([1]);
  expect(await store.auditHead()).toBe(second);
  expect(await store.verifyAudit([first, second])).toEqual({
    entries: 2,
    head: second,
    unsigned: 2,
  });
});

test("[LG10] the database refuses to change, delete or renumber entries", async () => {
  await using folder = await openFolder();
  {
    await using store = await openStore(folder.path);
    await store.commit([audit("one"), audit("two")]);
  }
  const db = new Database(join(folder.path, "signalbox.sqlite"));
  const entry = "1, 'x', null, null, '{}', '', null";
  expect(() => db.run("UPDATE audit SET what = 'x' WHERE nth = 1")).toThrow("never changed");
  expect(() => db.run("DELETE FROM audit WHERE nth = 2")).toThrow("never deleted");
  expect(() => db.run(`INSERT INTO audit VALUES (7, ${entry})`)).toThrow("after the last one");
  expect(() => db.run(`INSERT OR REPLACE INTO audit VALUES (2, ${entry})`)).toThrow(
    "after the last",
  );
  db.close();
});

test.each([
  ["flipped", "UPDATE audit SET facts = replace(facts, 'Bash', 'Read') WHERE nth = 4", 4],
  ["redated", "UPDATE audit SET at = at + 1 WHERE nth = 7", 7],
  ["spaced", "UPDATE audit SET facts = ' ' || facts WHERE nth = 2", 2],
  ["garbled", "UPDATE audit SET facts = '{' WHERE nth = 3", 3],
  ["dropped", "DELETE FROM audit WHERE nth = 5", 5],
  [
    "dropped and renumbered",
    "DELETE FROM audit WHERE nth = 5; UPDATE audit SET nth = nth - 1 WHERE nth > 5",
    5,
  ],
  [
    "swapped",
    "UPDATE audit SET nth = -8 WHERE nth = 8; UPDATE audit SET nth = 8 WHERE nth = 9; UPDATE audit SET nth = 9 WHERE nth = -8",
    8,
  ],
] as const)("[LG11] an entry that was %s is named", async (_, sql, nth) => {
  const { verdict } = await tampered((db) => db.run(sql));
  expect(verdict.broken?.nth).toBe(nth);
  expect(verdict.broken?.why).toContain(`Entry ${nth} `);
});

test("[LG11] a chain whose end was cut off is detected by a hash that was kept", async () => {
  const { verdict, kept } = await tampered((db) => db.run("DELETE FROM audit WHERE nth > 8"));
  expect(verdict.entries).toBe(8);
  expect(verdict.broken).toBeUndefined();
  expect(kept.broken?.nth).toBe(9);
  expect(kept.broken?.why).toContain("cut off");
});
