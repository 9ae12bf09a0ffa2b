import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AuditEntry, RunFacts } from "@signalbox/api";
import { attackScript, bubblewrapMissing, everyAttack } from "@signalbox/testing/attacks";
import { until } from "@signalbox/testing/until";
import { openWhole, settle, type Whole } from "@signalbox/testing/whole-hub";

setDefaultTimeout(180_000);

const hasBubblewrap = bubblewrapMissing === undefined;
const isRoot = process.getuid?.() === 0;

/** The real agent of a whole hub attacks it in a command that a person allowed. */
async function attack(whole: Whole, isolation?: string) {
  const { hub, folder, place } = whole;
  const { admin, driver } = await settle(whole);
  const log = readFileSync(join(place, "data", "runner", "runner.log"), "utf8");
  const runner = /pid (\d+)/.exec(log)?.[1] ?? "";
  const found = join(folder, "found.txt");
  const command = `sh ${attackScript} ${join(place, "data")} ${process.pid} ${runner} > ${found}`;
  const text = `::tool Bash ${JSON.stringify({ command })}\n::say done`;
  const session = randomUUID();
  const options = { folder, prompt: { text }, ...(isolation !== undefined && { isolation }) };
  expect((await admin("POST", "/api/sessions", options, session)).status).toBe(201);
  await until(() => hub.engine.asks.list().length > 0);
  const [ask] = hub.engine.asks.list();
  const allow = { hash: ask?.hash, decision: { behavior: "allow" } };
  expect((await admin("POST", `/api/asks/${ask?.id}/answer`, allow)).status).toBe(200);
  await until(() => hub.engine.sessions.get(session).summary.status === "idle");
  return { printed: readFileSync(found, "utf8"), session, admin, driver };
}

describe("a whole hub", () => {
  test.if(hasBubblewrap)(
    "[DR8] [DR12] isolates its agents: none reads, signals or traces hub and runner; turning that off takes an approver",
    async () => {
      await using whole = await openWhole();
      const { printed, session, admin, driver } = await attack(whole);
      expect(printed).toBe("finished\n");
      const view = (await driver("GET", `/api/sessions/${session}`)).body as { run?: RunFacts };
      expect(view.run?.isolation).toEqual({ profile: "default", isolated: true, by: "bubblewrap" });

      const path = `/api/sessions/${session}`;
      const off = { isolation: "off" };
      expect((await driver("PATCH", path, off)).status).toBe(403);
      const { folder } = whole;
      expect((await driver("POST", "/api/sessions", { folder, ...off })).status).toBe(403);
      expect((await driver("PATCH", path, { isolation: "write-here-only" })).status).toBe(200);
      expect((await driver("PATCH", path, { isolation: "default" })).status).toBe(403);
      expect((await admin("PATCH", path, off)).status).toBe(200);
      const audit = (await driver("GET", "/api/audit")).body as { entries: AuditEntry[] };
      expect(audit.entries.filter(({ what }) => what === "isolation-changed")).toHaveLength(2);

      await driver("POST", `${path}/stop`);
      await driver("POST", `${path}/prompts`, { text: "::say again" });
      const running = () => whole.hub.engine.sessions.get(session).run?.isolation;
      await until(() => running()?.profile === "off");
      expect(running()).toMatchObject({ isolated: false, why: expect.stringContaining("off") });
    },
  );

  test.if(isRoot)(
    "[DR12] an agent whose isolation an approver turned off reaches all",
    async () => {
      await using whole = await openWhole();
      const { printed } = await attack(whole, "off");
      expect(everyAttack.filter((name) => printed.includes(name))).toEqual(everyAttack);
    },
  );
});
