import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AskView } from "@signalbox/api";
import { attackAsAnother, attackAsOneself } from "./red-team.ts";
import { greeted } from "./stage.ts";
import { openWhole, settle } from "@signalbox/testing/whole-hub";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

describe("the whole hub", () => {
  test("[HH22] a session made over HTTP runs the real agent; its ask reaches the stream, no driver can answer it, an approver can, once", async () => {
    await using whole = await openWhole();
    const { hub, folder } = whole;
    const { admin, driver } = await settle(whole);

    const { ticket } = (await admin("POST", "/api/tickets")).body as { ticket: string };
    using stream = await greeted(hub.url, ticket);
    stream.send({ type: "watch-board" });
    const session = randomUUID();
    const prompt = { text: '::tool Bash {"command":"touch made.txt"}\n::say done' };
    const made = await driver("POST", "/api/sessions", { folder, prompt }, session);
    expect(made.status).toBe(201);
    const again = await driver("POST", "/api/sessions", { folder, prompt }, session);
    expect(again).toEqual(made);

    const asked = (): AskView | undefined =>
      stream.frames.flatMap((frame) => (frame.type === "board" ? frame.asks : []))[0];
    const ask = await until("the board has the ask", () => {
      const received = stream.frames.reduce((sum, frame) => sum + JSON.stringify(frame).length, 0);
      stream.send({ type: "ack", received });
      return asked();
    });
    const answer = { hash: ask.hash, decision: { behavior: "allow" } };
    const path = `/api/asks/${ask.id}/answer`;
    expect((await driver("POST", path, answer)).status).toBe(403);
    expect((await admin("POST", path, { ...answer, hash: "0".repeat(64) })).status).toBe(409);
    expect(existsSync(join(folder, "made.txt"))).toBe(false);
    const command = randomUUID();
    const answered = await admin("POST", path, answer, command);
    expect(answered.status).toBe(200);
    expect(await admin("POST", path, answer, command)).toEqual(answered);
    expect((await admin("POST", path, answer)).status).toBe(409);
    await until(() => existsSync(join(folder, "made.txt")));
    await until(() => hub.engine.sessions.get(session).summary.status === "idle");

    const page = (await driver("GET", `/api/sessions/${session}/items`)).body as {
      items: { kind: string; text?: string }[];
    };
    expect(page.items.some(({ kind, text }) => kind === "text" && text === "done")).toBe(true);
    const lines = await driver("GET", `/api/sessions/${session}/lines?after=0&limit=5`);
    expect(lines.body).toMatchObject({ more: true });
    const between = await driver("GET", `/api/sessions/${session}/lines?after=1&before=4`);
    expect(between.body).toMatchObject({ more: false, lines: [{ pos: 2 }, { pos: 3 }] });
    const stopped = await driver("POST", `/api/sessions/${session}/stop`);
    expect(stopped.body).toMatchObject({ state: "stopped" });
    expect((await driver("DELETE", `/api/sessions/${session}`)).status).toBe(204);
    const audit = await driver("GET", "/api/audit?verify=1");
    expect(audit.body).toMatchObject({ verified: { broken: null } });
    const { entries } = audit.body as { entries: { what: string }[] };
    const told = ["device-paired", "session-created", "run-started", "answered", "session-deleted"];
    expect(entries.map(({ what }) => what)).toEqual(expect.arrayContaining(told));
  });

  test("[HH23] an agent of the same user cannot approve its own request with anything it finds or asks for", async () => {
    await using whole = await openWhole();
    expect(await attackAsOneself(whole, 0)).toBe(1);
  });

  test.if(process.getuid?.() === 0)(
    "[HH23] an agent of another user finds nothing, and cannot approve its request either",
    async () => {
      await using whole = await openWhole();
      expect(await attackAsAnother(whole, 0)).toBe(1);
    },
  );
});
