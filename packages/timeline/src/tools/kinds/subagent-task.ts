import { isObject, type JsonObject } from "@signalbox/protocol";
import { tagged, textOf } from "../content.ts";
import type { SubagentTask, ToolResult } from "../payload.ts";
import { given, number, said, saidOrNone, words } from "../values.ts";

type Output = NonNullable<SubagentTask["output"]>;

export function subagentTaskCall(input: JsonObject): SubagentTask {
  return given({
    kind: "subagent_task" as const,
    description: said(input["description"]),
    prompt: said(input["prompt"]),
    subagentType: saidOrNone(input["subagent_type"]),
    background: input["run_in_background"] === true,
    model: saidOrNone(input["model"]),
  });
}

export function subagentTaskResult(payload: SubagentTask, result: ToolResult): SubagentTask {
  const { content, structured } = result;
  const known = isObject(structured) && typeof structured["status"] === "string";
  const output = known ? fromStructured(structured, content) : fromText(textOf(content));
  const type = isObject(structured) ? words(structured["agentType"]) : undefined;
  const model = isObject(structured) ? words(structured["resolvedModel"]) : undefined;
  const launched = output.launched === true || payload.background;
  return given({
    ...payload,
    subagentType: payload.subagentType ?? type,
    model: model ?? payload.model,
    background: launched,
    output,
  });
}

/** 2.1.325 wraps the report in words to the model; only the structure has it bare. */
function fromStructured(structured: JsonObject, content: unknown): Output {
  const launched = structured["status"] !== "completed";
  const own = structured["content"];
  return given({
    text: launched ? "" : reportIn(own === undefined ? textOf(content) : textOf(own)),
    agentId: saidOrNone(structured["agentId"] ?? structured["taskId"]),
    tokens: number(structured["totalTokens"]),
    toolUses: number(structured["totalToolUseCount"]),
    durationMs: number(structured["totalDurationMs"]),
    launched: launched || undefined,
    outputFile: words(structured["outputFile"]),
  });
}

function fromText(whole: string): Output {
  const launched = whole.startsWith("Async agent launched");
  const usage = tagged(whole, "usage") ?? "";
  const count = (name: string) => new RegExp(`${name}: (\\d+)`).exec(usage)?.[1];
  const amount = (value: string | undefined) => (value ? number(Number(value)) : undefined);
  return given({
    text: launched ? "" : reportIn(whole),
    agentId: /^agentId: ([\w-]+)/m.exec(whole)?.[1],
    tokens: amount(count("(?:total_tokens|subagent_tokens)")),
    toolUses: amount(count("tool_uses")),
    durationMs: amount(count("duration_ms")),
    launched: launched || undefined,
  });
}

const toolsUsed = /^\s*<tools-used-before-summary>[^<]*<\/tools-used-before-summary>\s*/;

/** On 2.1.325 the report stands indented between words to the model and the agent's id. */
function reportIn(whole: string): string {
  const report = whole.replace(/\n?agentId: [\w-]+ \([\s\S]*$/, "").replace(toolsUsed, "");
  if (!report.startsWith("[Subagent hand-back]")) return report;
  const lines = report.split("\n").slice(1);
  return lines.map((line) => line.replace(/^ {2}/, "")).join("\n");
}
