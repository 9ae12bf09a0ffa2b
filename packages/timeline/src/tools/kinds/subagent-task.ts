import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { extractTag, extractText } from "../../tool-payload/content.ts";
import type { SubagentTask, ToolResult } from "../../tool-payload/payload.ts";
import {
  omitUndefined,
  number,
  stringify,
  stringifyOrUndefined,
  nonEmptyString,
} from "../../tool-payload/values.ts";

type Output = NonNullable<SubagentTask["output"]>;

export function subagentTaskCall(input: JsonObject): SubagentTask {
  return omitUndefined({
    kind: "subagent_task" as const,
    description: stringify(input["description"]),
    prompt: stringify(input["prompt"]),
    subagentType: stringifyOrUndefined(input["subagent_type"]),
    background: input["run_in_background"] === true,
    model: stringifyOrUndefined(input["model"]),
  });
}

export function subagentTaskResult(payload: SubagentTask, result: ToolResult): SubagentTask {
  const { content, structured } = result;
  const known = isObject(structured) && typeof structured["status"] === "string";
  const output = known ? fromStructured(structured, content) : fromText(extractText(content));
  const type = isObject(structured) ? nonEmptyString(structured["agentType"]) : undefined;
  const model = isObject(structured) ? nonEmptyString(structured["resolvedModel"]) : undefined;
  const launched = output.launched === true || payload.background;
  return omitUndefined({
    ...payload,
    subagentType: payload.subagentType ?? type,
    model: model ?? payload.model,
    background: launched,
    output,
  });
}

/** 2.1.325 adds text for the model around the report; only the structure has the report alone. */
function fromStructured(structured: JsonObject, content: unknown): Output {
  const launched = structured["status"] !== "completed";
  const own = structured["content"];
  return omitUndefined({
    text: launched
      ? ""
      : extractReport(own === undefined ? extractText(content) : extractText(own)),
    agentId: stringifyOrUndefined(structured["agentId"] ?? structured["taskId"]),
    tokens: number(structured["totalTokens"]),
    toolUses: number(structured["totalToolUseCount"]),
    durationMs: number(structured["totalDurationMs"]),
    launched: launched || undefined,
    outputFile: nonEmptyString(structured["outputFile"]),
  });
}

function fromText(whole: string): Output {
  const launched = whole.startsWith("Async agent launched");
  const usage = extractTag(whole, "usage") ?? "";
  const count = (name: string) => new RegExp(`${name}: (\\d+)`).exec(usage)?.[1];
  const toNumber = (value: string | undefined) => (value ? number(Number(value)) : undefined);
  return omitUndefined({
    text: launched ? "" : extractReport(whole),
    agentId: /^agentId: ([\w-]+)/m.exec(whole)?.[1],
    tokens: toNumber(count("(?:total_tokens|subagent_tokens)")),
    toolUses: toNumber(count("tool_uses")),
    durationMs: toNumber(count("duration_ms")),
    launched: launched || undefined,
  });
}

const toolsUsed = /^\s*<tools-used-before-summary>[^<]*<\/tools-used-before-summary>\s*/;

/** On 2.1.325 the report is indented, between text for the model and the agent's id. */
function extractReport(whole: string): string {
  const report = whole.replace(/\n?agentId: [\w-]+ \([\s\S]*$/, "").replace(toolsUsed, "");
  if (!report.startsWith("[Subagent hand-back]")) return report;
  const lines = report.split("\n").slice(1);
  return lines.map((line) => line.replace(/^ {2}/, "")).join("\n");
}
