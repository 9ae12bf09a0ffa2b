import { describe, expect, test } from "bun:test";
import { lineText, parseObject } from "@signalbox/protocol";
import { Host } from "@signalbox/host";
import { MemoryDriver } from "@signalbox/testing/memory-driver";

const folder = "/";
const result = (text: string) =>
  JSON.stringify({ type: "result", subtype: "success", is_error: false, result: text });
const init = JSON.stringify({ type: "system", subtype: "init", session_id: "s" });
const echo = (uuid: string) =>
  JSON.stringify({ type: "user", uuid, message: { role: "user", content: "" }, isReplay: true });
const tasks = (...ids: string[]) =>
  JSON.stringify({
    type: "system",
    subtype: "background_tasks_changed",
    tasks: ids.map((task_id) => ({ task_id })),
  });

async function open() {
  const driver = new MemoryDriver();
  const host = await Host.start(driver, { folder });
  const say = async (...lines: string[]) => {
    for (const line of lines) await driver.agent.send(line);
  };
  return { driver, host, say, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

describe("a turn of a host", () => {
  test("[TP6] ends with the result of its prompt, and its lines are read in order", async () => {
    await using open1 = await open();
    const { host, say } = open1;
    const turn = host.turn({ text: "hi", uuid: "p1" }, { settleMs: 1 });
    await say(echo("p1"), init, result("done"));
    const types: string[] = [];
    const lines = turn[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await lines.next();
      if (done) {
        expect(value).toMatchObject({ kind: "finished", result: { result: "done" } });
        break;
      }
      types.push(value.kind === "known" ? value.message.type : value.kind);
    }
    expect(types).toEqual(["user", "system", "result"]);
    expect(await turn.readToEnd().catch(String)).toContain("read");
  });

  test("[TP6] goes on while something works in the background, and over the turn that its report starts", async () => {
    await using open1 = await open();
    const { host, say } = open1;
    const turn = host.turn({ text: "hi", uuid: "p1" }, { settleMs: 1 });
    await say(echo("p1"), init, tasks("t1"), result("started"));
    const end = turn.readToEnd();
    await say(init, tasks(), result("reported"));
    expect(await end).toMatchObject({ result: { result: "reported" } });
  });

  test("[TP6] also waits for a prompt that was sent during the turn", async () => {
    await using open1 = await open();
    const { host, say } = open1;
    const turn = host.turn({ text: "hi", uuid: "p1" }, { settleMs: 1 });
    await say(echo("p1"), init);
    await host.prompt({ text: "and this", uuid: "p2" });
    await say(result("first"));
    const end = turn.readToEnd();
    await say(echo("p2"), init, result("second"));
    expect(await end).toMatchObject({ result: { result: "second" } });
  });

  test("[TP6] ends with the run when the agent exits", async () => {
    await using open1 = await open();
    const turn = open1.host.turn({ text: "hi" });
    await open1.say(init);
    await open1.driver.agent.close();
    expect(await turn.readToEnd()).toMatchObject({ kind: "run-ended", end: { kind: "clean" } });
  });

  test("[TP6] is interrupted by its signal, and fails with the reason after the agent has stopped", async () => {
    await using open1 = await open();
    const { driver, host, say } = open1;
    const aborted = new AbortController();
    const turn = host.turn({ text: "hi", uuid: "p1" }, { signal: aborted.signal });
    await say(echo("p1"), init);
    const end = turn.readToEnd().catch((failure: unknown) => failure);
    aborted.abort(new Error("enough"));
    reading: for await (const batch of driver.agent.incoming) {
      for (const line of batch) {
        const body = parseObject(lineText(line));
        if (typeof body === "string" || body["type"] !== "control_request") continue;
        const response = { subtype: "success", request_id: body["request_id"], response: {} };
        await say(JSON.stringify({ type: "control_response", response }), result("interrupted"));
        break reading;
      }
    }
    expect(String(await end)).toContain("enough");
    const never = host.turn({ text: "never" }, { signal: aborted.signal });
    expect(await never.readToEnd().catch(String)).toContain("enough");
  });

  test("leaves unread lines to the next reader", async () => {
    await using open1 = await open();
    const { host, say } = open1;
    const turn = host.turn({ text: "hi", uuid: "p1" });
    await say(echo("p1"), init, result("done"));
    for await (const line of turn) if (line.kind === "known") break;
    const types: string[] = [];
    for await (const batch of host.lines) {
      for (const line of batch) if (line.kind === "known") types.push(line.message.type);
      if (types.includes("result")) break;
    }
    expect(types).toEqual(["system", "result"]);
  });
});
