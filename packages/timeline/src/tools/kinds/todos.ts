import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { extractText } from "../../tool-payload/content.ts";
import type { CreateTask, ManageTodos, TodoInput, ToolResult } from "../../tool-payload/payload.ts";
import {
  toFields,
  omitUndefined,
  toList,
  stringify,
  stringifyOrUndefined,
  nonEmptyString,
} from "../../tool-payload/values.ts";

export function createTaskCall(input: JsonObject): CreateTask {
  return omitUndefined({
    kind: "create_task" as const,
    title: stringify(input["subject"] ?? input["title"]),
    description: stringifyOrUndefined(input["description"]),
    activeForm: stringifyOrUndefined(input["activeForm"]),
  });
}

export function createTaskResult(payload: CreateTask, result: ToolResult): CreateTask {
  const idInText = /^Task #(\S+) created/.exec(extractText(result.content))?.[1];
  const id = stringifyOrUndefined(toFields(toFields(result.structured)["task"])["id"]) ?? idInText;
  return { ...payload, output: omitUndefined({ id }) };
}

export function manageTodosCall(name: string, input: JsonObject): ManageTodos {
  const operation = operations.get(name) ?? "write";
  const listed = toList(input["todos"]).map(todo);
  const items = "taskId" in input ? [todo({ ...input, id: input["taskId"] })] : listed;
  return { kind: "manage_todos", operation, items };
}
const operations = new Map<string, ManageTodos["operation"]>([
  ["TodoRead", "list"],
  ["TaskUpdate", "update"],
  ["TaskList", "list"],
  ["TaskGet", "get"],
]);

/** TodoWrite calls it `content`, the Task tools call it `subject`. */
function todo(value: unknown): TodoInput {
  const { id, content, subject, status, activeForm, owner, blockedBy, addBlockedBy } =
    toFields(value);
  const waits = toList(blockedBy ?? addBlockedBy).map(stringify);
  return omitUndefined({
    id: stringifyOrUndefined(id),
    description: stringify(content ?? subject),
    status: stringify(status),
    activeForm: nonEmptyString(activeForm),
    owner: nonEmptyString(owner),
    blockedBy: waits.length > 0 ? waits : undefined,
  });
}

/** The format of a list: "#1 [completed] Look around (owner)", one line for each todo. */
function parseList(text: string): TodoInput[] | undefined {
  const found = [...text.matchAll(/^#(\S+) \[(\w+)\] (.*)$/gm)];
  if (found.length === 0) return undefined;
  return found.map(([, id, status, subject]) => todo({ id, status, subject }));
}

export function manageTodosResult(payload: ManageTodos, result: ToolResult): ManageTodos {
  const { newTodos, tasks, task, success, error } = toFields(result.structured);
  const list = [newTodos, tasks].find(Array.isArray);
  const shown = list ?? (isObject(task) ? [task] : undefined);
  const text = extractText(result.content);
  const listed = payload.operation === "list" ? parseList(text) : undefined;
  const output = omitUndefined({ items: shown?.map(todo) ?? listed, text });
  const refusal =
    success === false ? (nonEmptyString(error) ?? nonEmptyString(text) ?? "failed") : undefined;
  return omitUndefined({ ...payload, output, error: refusal });
}
