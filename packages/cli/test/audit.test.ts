import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { auditHash } from "../../hub/src/store/audit-chain.ts";
import { openHubStage } from "@signalbox/testing/hub-stage";

setDefaultTimeout(180_000);

test("audit --verify names entries that were cut off while the hub was stopped", async () => {
  await using hub = await openHubStage();
  expect((await hub.command(["pair"])).exit).toBe(0);
  expect((await hub.command(["ls"])).exit).toBe(0); // any command keeps the head
  const kept = join(hub.folder, "../home/.local/state/signalbox/heads.json");
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  const before = await hub.command(["audit", "--verify"]);
  expect(before).toMatchObject({ exit: 0 });
  await hub.stopHub();
  const db = new Database(join(hub.data, "signalbox.sqlite"));
  for (const name of ["auditIsNotCut", "auditIsNotChanged"]) db.run(`DROP TRIGGER ${name}`);
  const last = db.query<{ nth: number }, []>("SELECT max(nth) AS nth FROM audit").get()?.nth ?? 0;
  db.run("DELETE FROM audit WHERE nth > ?", [last - 2]);
  db.close();
  await hub.serveAgain();
  await hub.command(["ls"]); // which does not make the terminal forget what it saw
  const after = await hub.command(["audit", "--verify"]);
  expect(after.exit).toBe(1);
  expect(after.stderr).toContain("lacks one whose hash a device has kept");
});

test("[LG26] audit --verify and doctor say which entry the hub did not write, and what is signed", async () => {
  await using hub = await openHubStage();
  const before = await hub.command(["audit", "--verify"]);
  expect(before).toMatchObject({ exit: 0 });
  expect(before.stderr).toContain("All entries are signed by the hub.");
  expect((await hub.command(["doctor"])).stdout).toContain("All entries are signed by the hub.");
  await hub.stopHub();
  const db = new Database(join(hub.data, "signalbox.sqlite"));
  const last = db
    .query<{ nth: number; hash: string }, []>("SELECT nth, hash FROM audit ORDER BY nth DESC")
    .get() ?? { nth: 0, hash: "" };
  const entry = { nth: last.nth + 1, at: 1, what: "made-up", by: null, session: null, facts: {} };
  const hash = auditHash(last.hash, entry);
  db.run("INSERT INTO audit VALUES (?, 1, 'made-up', NULL, NULL, '{}', ?, NULL)", [
    entry.nth,
    hash,
  ]);
  db.close();
  await hub.serveAgain();
  const after = await hub.command(["audit", "--verify"]);
  const words = `Entry ${entry.nth} is not signed. Another program wrote it into the database.`;
  expect(after.exit).toBe(1);
  expect(after.stderr).toContain(`${words} Entries up to ${last.nth} are valid.`);
  const doctor = await hub.command(["doctor"]);
  expect(doctor.exit).not.toBe(0);
  expect(doctor.stdout).toContain(words);
});
