import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { HubRefusal } from "../../src/engine.ts";
import { ReceiptService } from "../../src/http/receipts.ts";
import type { Change } from "../../src/store/store.ts";
import { type TestServer, openTestServer } from "./stage.ts";

let testServer: TestServer;
let token: string;
beforeAll(async () => {
  testServer = await openTestServer();
  token = await testServer.tokenOf("approver");
});
beforeEach(() => void testServer.calls.splice(0));
afterAll(() => testServer[Symbol.asyncDispose]());

const session = randomUUID();
const path = `/api/sessions/${session}/prompts`;
const body = { text: "hello" };

describe("commands", () => {
  test("[HH7] the same command a hundred times runs once and is answered the same", async () => {
    const command = randomUUID();
    testServer.answers["prompts.send"] = async () => ({
      id: command,
      nth: testServer.calls.length,
    });
    const answers = new Set<string>();
    for (let n = 0; n < 100; n++) {
      const response = await testServer.ask("POST", path, { token, body, command });
      answers.add(`${response.status} ${await response.text()}`);
    }
    expect([...answers]).toEqual([`202 {"id":"${command}","nth":1}`]);
    expect(testServer.calls).toHaveLength(1);
    expect(testServer.calls[0]?.args.slice(0, 3)).toEqual([session, command, body]);
  });

  test("[HH7] also when another hub on the same store answers it first", async () => {
    const store = testServer.store.asStore();
    const command = { id: randomUUID(), device: "d", request: "r", session: null };
    const first = { status: 200, body: "first" };
    const gate = Promise.withResolvers<void>();
    const late = new ReceiptService(store).runOnce(command, async () => {
      await gate.promise;
      return { status: 200, body: "second" };
    });
    const makeReceipt = new ReceiptService(store).runOnce(command, async (keep) => {
      await gate.promise;
      await store.commit(keep({ status: 200, body: "third" }));
      return { status: 200, body: "third" };
    });
    await new ReceiptService(store).runOnce(command, async () => first);
    gate.resolve();
    expect(await Promise.all([late, makeReceipt])).toEqual([first, first]);
  });

  test("[HH7] also while the first still runs", async () => {
    const receipts = new ReceiptService(testServer.store.asStore());
    const command = { id: randomUUID(), device: "d", request: "r", session: null };
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const run = async () => {
      const nth = ++runs;
      await gate.promise;
      return { status: 200, body: String(nth) };
    };
    const answers = [1, 2, 3].map(() => receipts.runOnce(command, run));
    const other = receipts.runOnce({ ...command, request: "other" }, run).catch(String);
    gate.resolve();
    expect(await Promise.all(answers)).toEqual([1, 2, 3].map(() => ({ status: 200, body: "1" })));
    expect(await other).toContain("already used for another command");
  });

  test("[HH7] the same id for another body, path, session or device is refused with 409", async () => {
    const command = randomUUID();
    testServer.answers["prompts.send"] = async () => ({});
    await testServer.ask("POST", path, { token, body, command });
    const others = [
      testServer.ask("POST", path, { token, body: { text: "other" }, command }),
      testServer.ask("POST", `/api/sessions/${randomUUID()}/prompts`, { token, body, command }),
      testServer.ask("POST", `/api/sessions/${session}/stop`, { token, command }),
      testServer.ask("POST", path, { token: await testServer.tokenOf("admin"), body, command }),
    ];
    for (const response of await Promise.all(others)) {
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({ code: "command-id-used" });
    }
    expect(testServer.calls).toHaveLength(1);
  });

  test("[HH7] what was refused leaves no receipt and may be tried again", async () => {
    const command = randomUUID();
    testServer.answers["prompts.send"] = async () => {
      throw new HubRefusal(503, "runner-away", "The runner is away.");
    };
    expect((await testServer.ask("POST", path, { token, body, command })).status).toBe(503);
    testServer.answers["prompts.send"] = async () => ({});
    expect((await testServer.ask("POST", path, { token, body, command })).status).toBe(202);
  });

  test("[HH7] a receipt that was stored with the command counts, also when something fails after it", async () => {
    const command = randomUUID();
    testServer.answers["prompts.send"] = async (...args: unknown[]) => {
      const also = args[4] as (answer: unknown) => Change[];
      await testServer.store.commit(also({ id: command, status: "waiting" }));
      throw new HubRefusal(503, "runner-away", "The agent cannot be started.");
    };
    for (let n = 0; n < 3; n++) {
      const response = await testServer.ask("POST", path, { token, body, command });
      expect(response.status).toBe(202);
      expect(await response.json()).toEqual({ id: command, status: "waiting" });
    }
    expect(testServer.calls).toHaveLength(1);
  });

  test("[HH7] a command without an id, or with none of the form, is refused", async () => {
    for (const command of ["", "1", "not-a-uuid"]) {
      const response = await testServer.ask("POST", path, { token, body, command });
      expect(await response.json()).toMatchObject({ status: 400, code: "no-command-id" });
    }
    expect(testServer.calls).toEqual([]);
  });

  test("[HH8] no receipt keeps a secret: codes, tickets and tokens are told anew each time", async () => {
    const command = randomUUID();
    const asked = { token, body: { role: "viewer" }, command };
    const codes = [1, 2].map(async () =>
      (await testServer.ask("POST", "/api/pairings", asked)).text(),
    );
    expect(new Set(await Promise.all(codes)).size).toBe(2);
    const kept = testServer.store.changes.filter((change) => change.kind === "receipt");
    expect(kept.filter(({ row }) => /sb[xte]_|pair=/.test(row.body))).toEqual([]);
  });
});
