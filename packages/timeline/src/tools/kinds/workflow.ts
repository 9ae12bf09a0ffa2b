import type { JsonObject } from "@signalbox/protocol";
import { textOf } from "../content.ts";
import type { ToolResult, Workflow } from "../payload.ts";
import { fieldsOf, given, json, saidOrNone, words } from "../values.ts";

export function workflowCall(input: JsonObject): Workflow {
  const { args } = input;
  return given({
    kind: "workflow" as const,
    name: saidOrNone(input["name"]),
    title: saidOrNone(input["title"]),
    description: saidOrNone(input["description"]),
    script: saidOrNone(input["script"] ?? input["scriptPath"]),
    args: args === undefined || args === null ? undefined : json(args),
  });
}

export function workflowResult(payload: Workflow, { content, structured }: ToolResult): Workflow {
  const from = fieldsOf(structured);
  const status = words(from["status"]);
  const text = textOf(content);
  const output = given({
    text,
    launched: status?.endsWith("_launched") ?? (text.startsWith("Workflow launched") || undefined),
    taskId: words(from["taskId"]) ?? /^.*Task ID: ([\w-]+)/.exec(text)?.[1],
    runId: words(from["runId"]),
    name: words(from["workflowName"]),
    summary: words(from["summary"]),
    scriptPath: words(from["scriptPath"]),
    sessionUrl: words(from["sessionUrl"]),
  });
  return given({ ...payload, output, error: words(from["error"]) });
}
