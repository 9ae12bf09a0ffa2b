import type { JsonObject } from "@signalbox/protocol";
import { extractText } from "../../tool-payload/content.ts";
import type { ToolResult, Workflow } from "../../tool-payload/payload.ts";
import {
  toFields,
  omitUndefined,
  json,
  stringifyOrUndefined,
  words,
} from "../../tool-payload/values.ts";

export function workflowCall(input: JsonObject): Workflow {
  const { args } = input;
  return omitUndefined({
    kind: "workflow" as const,
    name: stringifyOrUndefined(input["name"]),
    title: stringifyOrUndefined(input["title"]),
    description: stringifyOrUndefined(input["description"]),
    script: stringifyOrUndefined(input["script"] ?? input["scriptPath"]),
    args: args === undefined || args === null ? undefined : json(args),
  });
}

export function workflowResult(payload: Workflow, { content, structured }: ToolResult): Workflow {
  const from = toFields(structured);
  const status = words(from["status"]);
  const text = extractText(content);
  const output = omitUndefined({
    text,
    launched: status?.endsWith("_launched") ?? (text.startsWith("Workflow launched") || undefined),
    taskId: words(from["taskId"]) ?? /^.*Task ID: ([\w-]+)/.exec(text)?.[1],
    runId: words(from["runId"]),
    name: words(from["workflowName"]),
    summary: words(from["summary"]),
    scriptPath: words(from["scriptPath"]),
    sessionUrl: words(from["sessionUrl"]),
  });
  return omitUndefined({ ...payload, output, error: words(from["error"]) });
}
