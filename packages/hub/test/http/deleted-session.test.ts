import { expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { filesWith } from "../store/files-with.ts";
import { until } from "@signalbox/testing/until";
import { openWhole, settle } from "@signalbox/testing/whole-hub";

setDefaultTimeout(180_000);

const CANARY = "canary-81d07a3c";

test("[LG24] of a deleted session that ran a real agent the data folder of hub and runner holds no word", async () => {
  await using whole = await openWhole();
  const { hub, folder, place } = whole;
  const { admin, driver } = await settle(whole);
  const session = randomUUID();
  const at = `/api/sessions/${session}`;
  // Not in the command: what was allowed is in the audit, which stays.
  const prompt = { text: `::tool Bash {"command":"touch made.txt"}\n::say ${CANARY}` };
  expect((await driver("POST", "/api/sessions", { folder, prompt }, session)).status).toBe(201);
  const [ask] = await until("the agent asks", () => {
    const asks = hub.engine.asks.list();
    return asks.length > 0 && asks;
  });
  const answer = { hash: ask?.hash, decision: { behavior: "allow" } };
  expect((await admin("POST", `/api/asks/${ask?.id}/answer`, answer)).status).toBe(200);
  await until("the turn is over", () => hub.engine.sessions.get(session).summary.status === "idle");
  const second = randomUUID();
  const long = { text: `::say ok\n${CANARY} ${"x".repeat(50_000)}` };
  expect((await driver("POST", `${at}/prompts`, long, second)).status).toBe(202);
  await until("the second turn is over", () => {
    const { queue, summary } = hub.engine.sessions.get(session);
    return queue.length === 0 && summary.status === "idle";
  });
  expect((await driver("PATCH", at, { title: `about ${CANARY}` })).status).toBe(200);
  const data = join(place, "data");
  expect(filesWith(data, CANARY)).not.toEqual([]);
  expect((await driver("DELETE", at)).status).toBe(204);
  await until("no file holds a word of it", () => filesWith(data, CANARY).length === 0, {
    seen: () => filesWith(data, CANARY),
    withinMs: 60_000,
  });
  // The command that made it is still known, and does not make it again.
  const again = await driver("POST", "/api/sessions", { folder, prompt }, session);
  expect(again.status).toBe(410);
  expect(hub.engine.sessions.list()).toEqual([]);
});
