import type { JsonObject } from "@signalbox/protocol";
import { extractText } from "../../tool-payload/content.ts";
import type { ToolResult, Workflow } from "../../tool-payload/payload.ts";
import {
  toFields,
  omitUndefined,
  json,
  stringifyOrUndefined,
  nonEmptyString,
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
  const status = nonEmptyString(from["status"]);
  const text = extractText(content);
  const output = omitUndefined({
    text,
    launched: status?.endsWith("_launched") ?? (text.startsWith("Workflow launched") || undefined),
    taskId: nonEmptyString(from["taskId"]) ?? /^.*Task ID: ([\w-]+)/.exec(text)?.[1],
    runId: nonEmptyString(from["runId"]),
    name: nonEmptyString(from["workflowName"]),
    summary: nonEmptyString(from["summary"]),
    scriptPath: nonEmptyString(from["scriptPath"]),
    sessionUrl: nonEmptyString(from["sessionUrl"]),
  });
  return omitUndefined({ ...payload, output, error: nonEmptyString(from["error"]) });
}
