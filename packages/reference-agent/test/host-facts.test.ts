import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Options, query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { startModel } from "@signalbox/model";
import { ModelFailure, retryDelayMs } from "../src/model/failure.ts";
import { emptyEnvironment } from "./empty-environment.ts";

setDefaultTimeout(180_000);

const agent = new URL("../bin/signalbox-agent.mjs", import.meta.url).pathname;

interface Result {
  readonly type: string;
  readonly result?: string;
  readonly modelUsage: Readonly<Record<string, { readonly outputTokens: number }>>;
  readonly model_usage_since_last_result: Result["modelUsage"];
}

/**
 * Sends one prompt through the official SDK. Returns what the agent sent until `results` turns were
 * over.
 */
async function play(prompt: string, options: Partial<Options> = {}, results = 1) {
  const place = mkdtempSync(join(tmpdir(), "signalbox-facts-"));
  const model = await startModel({ script: "" });
  let stderr = "";
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    const message = { role: "user" as const, content: prompt };
    yield { type: "user", message, parent_tool_use_id: null, session_id: "" };
    await ended;
  }
  const talk = query({
    prompt: prompts(),
    options: {
      cwd: place,
      pathToClaudeCodeExecutable: agent,
      env: emptyEnvironment(place, model.url),
      stderr: (text) => (stderr += text),
      ...options,
    },
  });
  try {
    const models = await talk.supportedModels();
    const told: Result[] = [];
    for await (const message of talk) {
      if (message.type === "result") told.push(message as unknown as Result);
      if (told.length >= results) end();
    }
    return { told, models, stderr };
  } finally {
    await model.close();
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

test("[AG60] tokens that a background subagent uses between two turns are reported once, with the next result", async () => {
  const errand = {
    description: "Look",
    prompt: "Look\n::wait 2000\n::say found it",
    subagent_type: "general-purpose",
    model: "haiku",
    run_in_background: true,
  };
  const prompt = `Go\n::tool Agent ${JSON.stringify(errand)}\n::say sent\n::next\n::say it is back`;
  const { told } = await play(prompt, {}, 2);
  const whole = told.at(-1)?.modelUsage ?? {};
  expect(Object.keys(whole).toSorted()).toEqual(["claude-haiku-5-5", "claude-opus-5-5"]);
  for (const [model, { outputTokens }] of Object.entries(whole)) {
    const parts = told.map((one) => one.model_usage_since_last_result[model]?.outputTokens ?? 0);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(outputTokens);
  }
});

test("[AG60] no warnings about deprecated models are written to standard error, and models list their efforts", async () => {
  const { told, models, stderr } = await play("::say hi", { model: "claude-sonnet-4-5" });
  expect(told[0]?.result).toBe("hi");
  expect(stderr).toBe("");
  for (const model of models) {
    expect(model).toMatchObject({
      supportsEffort: true,
      supportedEffortLevels: ["low", "medium", "high", "xhigh", "max"],
    });
  }
});

test("[AG60] a wrong request is repeated at once, and an overloaded model is not", () => {
  const failed = (status: number) => new ModelFailure({ status, apiText: "no" });
  expect(retryDelayMs(1, failed(400))).toBe(0);
  expect(retryDelayMs(1, failed(404))).toBe(0);
  expect(retryDelayMs(1, failed(529))).toBeGreaterThanOrEqual(500);
});
