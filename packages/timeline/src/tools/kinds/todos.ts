import { isObject, type JsonObject } from "@signalbox/protocol";
import { textOf } from "../content.ts";
import type { CreateTask, ManageTodos, Todo, ToolResult } from "../payload.ts";
import { fieldsOf, given, listOf, said, saidOrNone, words } from "../values.ts";

export function createTaskCall(input: JsonObject): CreateTask {
  return given({
    kind: "create_task" as const,
    title: said(input["subject"] ?? input["title"]),
    description: saidOrNone(input["description"]),
    activeForm: saidOrNone(input["activeForm"]),
  });
}

export function createTaskResult(payload: CreateTask, result: ToolResult): CreateTask {
  const told = /^Task #(\S+) created/.exec(textOf(result.content))?.[1];
  const id = saidOrNone(fieldsOf(fieldsOf(result.structured)["task"])["id"]) ?? told;
  return { ...payload, output: given({ id }) };
}

export function manageTodosCall(name: string, input: JsonObject): ManageTodos {
  const operation = operations.get(name) ?? "write";
  const listed = listOf(input["todos"]).map(todo);
  const items = "taskId" in input ? [todo({ ...input, id: input["taskId"] })] : listed;
  return { kind: "manage_todos", operation, items };
}
const operations = new Map<string, ManageTodos["operation"]>([
  ["TodoRead", "list"],
  ["TaskUpdate", "update"],
  ["TaskList", "list"],
  ["TaskGet", "get"],
]);

/** TodoWrite says `content`, the Task tools say `subject`. */
function todo(value: unknown): Todo {
  const { id, content, subject, status, activeForm, owner, blockedBy, addBlockedBy } =
    fieldsOf(value);
  const waits = listOf(blockedBy ?? addBlockedBy).map(said);
  return given({
    id: saidOrNone(id),
    description: said(content ?? subject),
    status: said(status),
    activeForm: words(activeForm),
    owner: words(owner),
    blockedBy: waits.length > 0 ? waits : undefined,
  });
}

/** "#1 [completed] Look around (owner)", a line each. */
function listedIn(text: string): Todo[] | undefined {
  const found = [...text.matchAll(/^#(\S+) \[(\w+)\] (.*)$/gm)];
  if (found.length === 0) return undefined;
  return found.map(([, id, status, subject]) => todo({ id, status, subject }));
}

export function manageTodosResult(payload: ManageTodos, result: ToolResult): ManageTodos {
  const { newTodos, tasks, task, success, error } = fieldsOf(result.structured);
  const several = [newTodos, tasks].find(Array.isArray);
  const shown = several ?? (isObject(task) ? [task] : undefined);
  const text = textOf(result.content);
  const listed = payload.operation === "list" ? listedIn(text) : undefined;
  const output = given({ items: shown?.map(todo) ?? listed, text });
  const refusal = success === false ? (words(error) ?? words(text) ?? "failed") : undefined;
  return given({ ...payload, output, error: refusal });
}
