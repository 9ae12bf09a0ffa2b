import { type JsonObject, parseObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { extractTag, extractText } from "../../tool-payload/content.ts";
import type { BackgroundShell, ToolResult } from "../../tool-payload/payload.ts";
import {
  toFields,
  omitUndefined,
  toList,
  number,
  stringify,
  stringifyOrUndefined,
  text,
  nonEmptyString,
} from "../../tool-payload/values.ts";

type Output = NonNullable<BackgroundShell["output"]>;

export function backgroundShellCall(name: string, input: JsonObject): BackgroundShell {
  const { task_id, shell_id, bash_id, agentId, timeout_ms, timeout } = input;
  const socket = toFields(input["ws"])["url"];
  return omitUndefined({
    kind: "background_shell" as const,
    operation: readOperation(name),
    taskId: stringifyOrUndefined(task_id ?? shell_id ?? bash_id ?? agentId),
    command: stringifyOrUndefined(input["command"] ?? socket),
    description: stringifyOrUndefined(input["description"]),
    timeoutMs: number(timeout_ms ?? timeout),
  });
}

function readOperation(name: string): BackgroundShell["operation"] {
  if (name === "Monitor") return "monitor";
  return name.startsWith("Kill") || name === "TaskStop" ? "stop" : "output";
}

export function backgroundShellResult(
  payload: BackgroundShell,
  { content, structured }: ToolResult,
): BackgroundShell {
  const whole = extractText(content);
  const output = isObject(structured) ? fromStructured(structured, whole) : fromText(whole);
  const command =
    payload.command ??
    nonEmptyString(toFields(structured)["command"]) ??
    readStoppedCommand(output.text);
  const described = text(toFields(toFields(structured)["task"])["description"]);
  const description = payload.description ?? described;
  return omitUndefined({ ...payload, command, description, output });
}

/** 2.1.7 names the command that it stopped only in the text. */
function readStoppedCommand(text: string): string | undefined {
  return /^Successfully killed shell: [\w-]+ \(([\s\S]+)\)$/.exec(text)?.[1];
}

/**
 * TaskOutput wraps the task in an object, the older BashOutput is flat, and stopping and watching
 * return a message.
 */
function fromStructured(structured: JsonObject, whole: string): Output {
  const task = isObject(structured["task"]) ? structured["task"] : structured;
  const { task_id, taskId, shell_id, shellId, output, stdout, result, message } = task;
  return omitUndefined({
    text: extractReport(stringify(output ?? stdout ?? result ?? message ?? whole)),
    taskId: stringifyOrUndefined(task_id ?? taskId ?? shell_id ?? shellId),
    taskType: nonEmptyString(task["task_type"]),
    status: nonEmptyString(task["status"]) ?? nonEmptyString(structured["retrieval_status"]),
    exitCode: number(task["exitCode"]),
    stderr: nonEmptyString(task["stderr"]),
  });
}

/** For a subagent 2.1.7 returns its whole transcript: the last message is its report. */
function extractReport(output: string): string {
  if (!/^\{"parentUuid":[^\n]*"isSidechain":true/.test(output)) return output;
  for (const line of output.split("\n").toReversed()) {
    const body = parseObject(line);
    if (typeof body === "string" || body["type"] !== "assistant") continue;
    const blocks = toList(toFields(body["message"])["content"]).map(toFields);
    const report = extractText(blocks.filter(({ type }) => type === "text"));
    if (report !== "") return report;
  }
  return "";
}

/** Results without structure: tags in the format of 2.1.7, or the JSON of a message. */
function fromText(whole: string): Output {
  const code = extractTag(whole, "exit_code");
  const status = extractTag(whole, "status");
  const tags = status !== undefined;
  const printed = extractTag(whole, "output") ?? extractTag(whole, "stdout");
  return omitUndefined({
    text: tags
      ? extractReport((printed ?? "").replace(/^\n/, ""))
      : (extractMessage(whole) ?? whole),
    taskId: extractTag(whole, "task_id") ?? /\(task ([\w-]+)/.exec(whole)?.[1],
    taskType: extractTag(whole, "task_type"),
    status,
    exitCode: code === undefined || code === "" ? undefined : number(Number(code)),
    stderr: extractTag(whole, "stderr"),
  });
}

function extractMessage(whole: string): string | undefined {
  if (!whole.startsWith("{")) return undefined;
  try {
    return text(toFields(JSON.parse(whole))["message"]);
  } catch {
    return undefined;
  }
}
