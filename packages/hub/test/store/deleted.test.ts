import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Change, openStore, type ReceiptRow } from "@signalbox/hub/store";
import { openForWriting } from "../../src/store/database.ts";
import { migrations } from "../../src/store/migrations.ts";
import { filesWith } from "./files-with.ts";
import { until } from "@signalbox/testing/until";
import { audit, item, line, openFolder, session } from "./rows.ts";

setDefaultTimeout(180_000);

const CANARY = "canary-4f1c9be2";

const receipt = (id: string, session: string | null, body: string): ReceiptRow => ({
  id,
  device: "d",
  request: "r",
  status: 202,
  body,
  at: 5,
  session,
});

/** Everything that can hold what a person or an agent said in a session. */
function saidIn(id: string, text: string): Change[] {
  return [
    session(id, { title: text }),
    line(id, 1, { text: JSON.stringify({ text }) }),
    line(id, 2, { text: JSON.stringify({ text: text.repeat(5000) }) }),
    item(id, 1, { json: JSON.stringify({ text }) }),
    item(id, 2, { json: JSON.stringify({ text: text.repeat(500) }) }),
    {
      kind: "head",
      row: { session: id, seq: 2, pos: 2, rev: 2, summary: text, checkpoint: 1, changes: text },
    },
    { kind: "checkpoint", row: { session: id, number: 1, state: text.repeat(1000) } },
    {
      kind: "prompt",
      row: {
        id: `${id}-p`,
        session: id,
        place: 1,
        text,
        images: "[]",
        context: JSON.stringify({ title: text, data: {} }),
        now: false,
        sentTo: null,
        at: 1,
        seal: null,
      },
    },
    { kind: "draft", row: { name: id, session: id, json: JSON.stringify({ text }) } },
    { kind: "order", row: { id: `${id}-o`, session: id, runner: "own", json: text } },
    { kind: "blob", session: id, hash: id.repeat(64), bytes: Buffer.from(text.repeat(3000)) },
    { kind: "receipt", row: receipt(`${id}-r`, id, JSON.stringify({ text })) },
    { kind: "receipt", row: receipt(id, null, JSON.stringify({ text })) },
  ];
}

test("[LG24] no text of a deleted session can be read in any file, including the write-ahead log", async () => {
  await using folder = await openFolder();
  await using store = await openStore(folder.path, { retryMs: 20 });
  await store.commit([...saidIn("a", CANARY), audit("made")]);
  await store.commit(saidIn("b", "what stays"));
  // What changes leaves its old form behind, too.
  for (let round = 0; round < 20; round++) {
    const text = `${CANARY}${"y".repeat(round * 700)}`;
    await store.commit([
      {
        kind: "head",
        row: {
          session: "a",
          seq: 2,
          pos: 2,
          rev: 2,
          summary: CANARY,
          checkpoint: round,
          changes: CANARY,
        },
      },
      { kind: "checkpoint", row: { session: "a", number: round, state: text } },
      item("a", 3 + (round % 5), { json: JSON.stringify({ text }) }),
    ]);
  }
  await store.commit([{ kind: "prompt-gone", id: "a-p" }]);
  expect(filesWith(folder.path, CANARY)).not.toEqual([]);
  await store.commit([{ kind: "session-deleted", id: "a" }]);
  await until("no file holds what was deleted", () => filesWith(folder.path, CANARY).length === 0, {
    seen: () => filesWith(folder.path, CANARY),
  });
  expect(await store.receipt("a-r")).toMatchObject({ status: 410, body: "" });
  expect(await store.receipt("a")).toMatchObject({ status: 410, body: "" });
  expect((await store.receipt("b-r"))?.body).toContain("what stays");
  expect((await store.linesAfter("b", 0, 10)).map(({ pos }) => pos)).toEqual([1, 2]);
  expect(await store.checkIntegrity()).toEqual([]);
});

test("[LG24] a removed setting can be read in no file", async () => {
  await using folder = await openFolder();
  await using store = await openStore(folder.path, { retryMs: 20 });
  await store.commit([
    { kind: "setting", key: "a", value: CANARY },
    { kind: "setting", key: "b", value: "stays" },
  ]);
  expect(filesWith(folder.path, CANARY)).not.toEqual([]);
  await store.commit([{ kind: "setting-gone", key: "a" }]);
  await until("no file holds it", () => filesWith(folder.path, CANARY).length === 0, {
    seen: () => filesWith(folder.path, CANARY),
  });
  expect([await store.setting("a"), await store.setting("b")]).toEqual([undefined, "stays"]);
});

test("[LG24] nothing of the answer is stored for a command that is answered after its session was deleted", async () => {
  await using folder = await openFolder();
  await using store = await openStore(folder.path);
  await store.commit([session("a")]);
  await store.commit([{ kind: "session-deleted", id: "a" }]);
  await store.commit([{ kind: "receipt", row: receipt("late", "a", CANARY) }]);
  expect(await store.receipt("late")).toMatchObject({ status: 202, body: "" });
});

test("[LG24] receipts of an earlier version belong to their session after an upgrade", async () => {
  await using folder = await openFolder();
  const old = openForWriting(join(folder.path, "signalbox.sqlite"), migrations.slice(0, 6));
  old.run(`INSERT INTO sessions ("id", "folder", "title", "named", "agent", "driver", "runner", "policy",
    "pinned", "archived", "createdAt", "options", "state")
    VALUES ('s', '/', '', 0, 'a', 'stdio', 'r', 'default', 0, 0, 1, '{}', 'new')`);
  old.run(`INSERT INTO items VALUES ('s', 'message', 1, 1, '{}')`);
  const add = (id: string, body: string) =>
    old.run("INSERT INTO receipts VALUES (?, 'd', 'r', 200, ?, 1)", [id, body]);
  add("s", CANARY);
  add("message", CANARY);
  add("answer", JSON.stringify({ session: "s", text: CANARY }));
  add("renamed", JSON.stringify({ id: "s", title: CANARY }));
  add("other", "null");
  old.close();
  await using store = await openStore(folder.path);
  for (const id of ["s", "message", "answer", "renamed"]) {
    expect((await store.receipt(id))?.session).toBe("s");
  }
  expect((await store.receipt("other"))?.session).toBeNull();
  await store.commit([{ kind: "session-deleted", id: "s" }]);
  await until(() => filesWith(folder.path, CANARY).length === 0);
});
