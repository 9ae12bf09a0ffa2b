import { describe, expect, test } from "bun:test";
import { OutputQueue } from "../../src/loop/output-queue.ts";
import type { TurnResult } from "@signalbox/agent";
import { openRig, prompt } from "./rig.ts";

describe("the output", () => {
  const printedAs = async (format: string, end: Partial<TurnResult>, verbose: string[] = []) => {
    const turn = () =>
      Promise.resolve({ subtype: "success", is_error: false, num_turns: 1, ...end } as TurnResult);
    const limits = ["--max-turns", "3", "--max-budget-usd", "0.5"];
    const args = ["-p", "--output-format", format, ...verbose, ...limits];
    await using rig = await openRig(() => ({ turn }), { args, bare: true });
    await rig.send(prompt("go"));
    await rig.host.close();
    await rig.code;
    return rig.printed.join("");
  };

  test("[AG24] as text, a result is its text or its error", async () => {
    expect(await printedAs("text", { result: "fine" })).toBe("fine\n");
    expect(await printedAs("text", { subtype: "error_during_execution" })).toBe("Execution error");
    expect(await printedAs("text", { subtype: "error_max_turns" })).toBe(
      "Error: Reached max turns (3)",
    );
    const budget = "Error: Exceeded USD budget (0.5)";
    expect(await printedAs("text", { subtype: "error_max_budget_usd" })).toBe(budget);
  });

  test("[AG24] as json, it is the line of the result, or all lines", async () => {
    const end = { result: "fine", model_usage_since_last_result: {} };
    const one = JSON.parse(await printedAs("json", end)) as object;
    expect(one).toMatchObject({ type: "result", result: "fine" });
    const all = JSON.parse(await printedAs("json", end, ["--verbose"])) as object[];
    expect(all.at(-1)).toMatchObject({ type: "result", result: "fine" });
    for (const row of [one, all.at(-1)])
      expect(row).not.toHaveProperty("model_usage_since_last_result");
  });

  test("[AG25] the queue has one consumer, drains when closed, and fails on request", async () => {
    const queue = new OutputQueue<number>();
    queue.enqueue(1);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const item of queue) seen.push(item);
    })();
    queue.enqueue(2);
    queue.close();
    queue.enqueue(3);
    await reading;
    expect(seen).toEqual([1, 2]);
    expect(queue[Symbol.asyncIterator]().next()).rejects.toThrow("once");

    const failing = new OutputQueue<number>();
    failing.fail(new Error("broken"));
    expect(failing[Symbol.asyncIterator]().next()).rejects.toThrow("broken");
  });
});
