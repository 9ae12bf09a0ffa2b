import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startHub } from "@signalbox/hub";
import { PromptSeals } from "../../src/devices/prompt-seals.ts";
import { Bench, desk } from "./bench.ts";
import { type FakeRunner, until } from "./fake-runner.ts";
import { tamper } from "./tamper.ts";

setDefaultTimeout(180_000);

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const sent = (runner: FakeRunner) => runner.orders("prompt").map(({ text }) => text);

function insertPrompt(at: { readonly data: string }, id: string, session: string): void {
  tamper(at, (db) =>
    db.run(
      `INSERT INTO prompts ("id", "session", "place", "text", "images", "now", "sentTo", "at")
       VALUES (?, ?, 0, 'rm -rf /', '[]', 1, NULL, 1)`,
      [id, session],
    ),
  );
}

test("[HB93] a message that somebody wrote into the stopped hub's database is not sent, and is reported", async () => {
  await using bench = await Bench.open();
  const { id } = await bench.create({ prompt: { text: "mine" } });
  const changed = await bench.create({ prompt: { text: "first" } });
  const attached = await bench.create({ prompt: { text: "look" } });
  await bench.closeHub();
  insertPrompt(bench, "forged", id);
  tamper(bench, (db) => {
    db.run(`UPDATE prompts SET "text" = 'rm -rf /' WHERE "session" = ?`, [changed.id]);
    const context = JSON.stringify({ title: "a", data: { say: "rm -rf /" } });
    db.run(`UPDATE prompts SET "context" = ? WHERE "session" = ?`, [context, attached.id]);
    // A seal is that of its session, too.
    db.run(
      `INSERT INTO prompts ("id", "session", "place", "text", "images", "now", "at", "seal")
       SELECT 'moved', ?, 2, "text", "images", 1, "at", "seal" FROM prompts WHERE "text" = 'mine'`,
      [changed.id],
    );
  });
  await bench.openHub();
  expect(bench.engine.listUnconfirmed().toSorted()).toEqual(
    [
      `the message forged to the agent of the session ${id}`,
      `the message ${changed.id} to the agent of the session ${changed.id}`,
      `the message ${attached.id} to the agent of the session ${attached.id}`,
      `the message moved to the agent of the session ${changed.id}`,
    ].toSorted(),
  );
  const runner = await bench.runner();
  await until(() => sent(runner).length === 1);
  await bench.send(changed.id, "mine, too");
  await until(() => sent(runner).length === 2);
  expect(sent(runner)).toEqual(["mine", "mine, too"]);
});

test("[HB93] an image that somebody put in the place of a message's own is not sent", async () => {
  await using bench = await Bench.open();
  const images = [{ data: PIXEL }];
  await bench.create({ prompt: { text: "look", images } });
  await bench.closeHub();
  tamper(bench, (db) => db.run(`UPDATE blobs SET "bytes" = ?`, [Buffer.from("another image")]));
  await bench.openHub();
  const runner = await bench.runner();
  await until(() => runner.orders("prompt").length === 1);
  expect(runner.orders("prompt")[0]?.images).toEqual([{ data: "" }]);
});

test("[HB94] messages that waited before there were seals are sent, and others without one never again", async () => {
  await using bench = await Bench.open();
  const { id } = await bench.create({ prompt: { text: "older" } });
  await bench.closeHub();
  tamper(bench, (db) => db.run(`UPDATE prompts SET "seal" = NULL`));
  let adopted = 0;
  const key = "a key that only the hub has";
  await bench.openHub({ promptSeals: new PromptSeals(key, () => adopted++) });
  expect(adopted).toBe(1);
  await bench.closeHub();
  insertPrompt(bench, "forged", id);
  await bench.openHub();
  expect(bench.engine.listUnconfirmed()).toHaveLength(1);
  const runner = await bench.runner();
  await until(() => sent(runner).length === 1);
  expect(sent(runner)).toEqual(["older"]);
});

test("[HB94] a hub keeps outside of its database that messages need seals", async () => {
  await using bench = await Bench.open();
  await bench.closeHub();
  const { data } = bench;
  const open = () => startHub({ data, port: 0, version: "0.0.0" });
  const session = crypto.randomUUID();
  {
    await using hub = await open();
    const options = { folder: bench.folder, prompt: { text: "mine" } };
    await hub.engine.sessions.create(session, options, desk);
    expect(JSON.parse(readFileSync(join(data, "identity.json"), "utf8"))).toMatchObject({
      sealsPrompts: true,
    });
  }
  insertPrompt({ data }, "forged", session);
  {
    await using hub = await open();
    expect(hub.engine.listUnconfirmed()).toEqual([
      `the message forged to the agent of the session ${session}`,
    ]);
    expect(hub.engine.sessions.get(session).queue).toMatchObject([{ text: "mine" }]);
  }
  await bench.openHub();
});
