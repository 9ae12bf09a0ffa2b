import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { type Model, startModel } from "@signalbox/model";
import { readDefinitions } from "../src/commands/definitions.ts";
import { answerControl } from "../src/control.ts";
import { openToolStage } from "./tool-stage.ts";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

let model: Model;
beforeAll(async () => {
  model = await startModel({ script: "" });
});
afterAll(() => model.close());

async function openStage() {
  const environment = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "dummy-key-for-tests" };
  const stage = openToolStage({ environment, args: ["--allowedTools", "Bash"] });
  await readDefinitions(stage.session);
  return stage;
}

const bash = (command: string, more: object = {}) =>
  `::tool Bash ${JSON.stringify({ command, description: "Wait", ...more })}`;
const away = (...lines: string[]) => ({
  description: "Wait",
  prompt: ["Wait", ...lines].join("\n"),
  run_in_background: true,
});

describe("a subagent in the background", () => {
  test("continues and reports again when a command that it left there ends", async () => {
    using stage = await openStage();
    const command = "while [ ! -e go ]; do sleep 0.05; done";
    const lines = [bash(command, { run_in_background: true }), "::say I wait.", "::next"];
    const sent = await stage.call("Agent", away(...lines, "::say It has ended."));
    await until(() => stage.woken.length === 1);
    expect(stage.woken[0]?.content).toContain("<result>I wait.</result>");
    expect(stage.session.subagentStats.report()).toMatchObject({ spawned: 1, completed: 0 });
    writeFileSync(stage.at("go"), "");
    await until(() => stage.woken.length === 2);
    expect(stage.woken[1]?.content).toContain("<result>It has ended.</result>");
    expect(stage.session.subagentStats.report()).toMatchObject({ spawned: 1, completed: 1 });
    const starts = stage.said.filter(({ subtype }) => subtype === "task_started");
    const ofAgent = starts.filter((one) => one["task_id"] === sent.structured["agentId"]);
    expect(ofAgent.length).toBe(2);
    expect(ofAgent[1]?.["prompt"]).toContain("<task-notification>");
  });

  test("is not started again after the user stopped it, but after Claude did", async () => {
    using stage = await openStage();
    for (const by of ["user", "Claude"] as const) {
      const sent = await stage.call("Agent", away(bash(`touch ${by}; sleep 60`)));
      const id = String(sent.structured["agentId"]);
      const task = stage.session.tasks.get(id);
      await until(() => stage.said.some((one) => one["last_tool_name"] === "Bash"));
      task?.stop(by);
      await until(() => stage.woken.length > 0);
      stage.woken.length = 0;
      const told = await stage.call("SendMessage", { to: id, message: "::say I go on." });
      expect(told.structured["success"]).toBe(by === "Claude");
    }
    await until(() => stage.woken.length === 1);
    expect(stage.woken[0]?.content).toContain("<result>I go on.</result>");
  });
});

test("tells the model with the next prompt about a command that the host stopped", async () => {
  using stage = await openStage();
  const input = { command: "sleep 60", description: "Sleep", run_in_background: true };
  const begun = await stage.call("Bash", input);
  const task_id = String(begun.structured["backgroundTaskId"]);
  await answerControl(stage.session, { subtype: "stop_task", task_id });
  expect(stage.session.startContexts.join()).toContain("was stopped by the user");
  expect(stage.woken).toEqual([]);
});
