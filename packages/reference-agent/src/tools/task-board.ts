import { type Call, getOne, shape, string, text, type Tool, ToolFailure } from "../tool.ts";
import type { Schema } from "../json/schema.ts";

interface BoardTask {
  readonly id: string;
  subject: string;
  description: string;
  activeForm?: string;
  status: string;
  owner?: string;
  blocks: string[];
  blockedBy: string[];
  metadata?: Record<string, unknown>;
}

/** The model's task list of this session. */
export class TaskBoard {
  readonly tasks = new Map<string, BoardTask>();
  #last = 0;
  todos: readonly unknown[] = [];

  create(task: Omit<BoardTask, "id" | "status" | "blocks" | "blockedBy">): BoardTask {
    const id = String(++this.#last);
    const made = { ...task, id, status: "pending", blocks: [], blockedBy: [] };
    this.tasks.set(id, made);
    return made;
  }
}

const ids = (description: string): Schema => ({
  type: "array",
  items: { type: "string" },
  description,
});
const object = (description: string): Schema => ({ type: "object", description });
const board = ({ session }: Call): TaskBoard => session.board;

/** Returns why hooks refuse to create or complete a task. */
async function askTaskHooks(
  event: "TaskCreated" | "TaskCompleted",
  { id, subject, description }: BoardTask,
  { session, signal, agent }: Call,
): Promise<string | undefined> {
  const { blocked } = await session.hooks.run(
    event,
    { task_id: id, task_subject: subject, task_description: description },
    { signal, ...(agent && { agent }) },
  );
  return blocked === undefined ? undefined : `${event} hook feedback:\n${blocked}`;
}

export const taskCreate: Tool = {
  name: "TaskCreate",
  description: "Puts a task on the list of what is to be done in this session.",
  input: shape(
    { subject: string("The task in a few words"), description: string("What it takes to be done") },
    {
      activeForm: string("What is shown while it is worked on"),
      metadata: object("Anything to keep with it"),
    },
  ),
  sideBySide: () => true,
  async run(input, call) {
    const activeForm = text(input, "activeForm");
    const task = board(call).create({
      subject: text(input, "subject"),
      description: text(input, "description"),
      ...(activeForm === "" ? {} : { activeForm }),
    });
    const { id, subject, description } = task;
    const objection = await askTaskHooks("TaskCreated", task, call);
    if (objection !== undefined) {
      board(call).tasks.delete(id);
      throw new ToolFailure(objection.trim());
    }
    return {
      content: `Task #${id} created successfully: ${subject}`,
      structured: { task: { id, subject, description } },
    };
  },
};

export const taskUpdate: Tool = {
  name: "TaskUpdate",
  description:
    "Changes a task on the list: its status, its words, whom it waits for. Status deleted takes it off.",
  input: shape(
    { taskId: string("The task's number") },
    {
      status: getOne(["pending", "in_progress", "completed", "deleted"], "Where it stands"),
      subject: string("The task in a few words"),
      description: string("What it takes to be done"),
      activeForm: string("What is shown while it is worked on"),
      owner: string("Who works on it"),
      addBlocks: ids("Tasks that wait for this one"),
      addBlockedBy: ids("Tasks that this one waits for"),
      metadata: object("Anything to keep with it"),
    },
  ),
  sideBySide: () => true,
  async run(input, call) {
    const { tasks } = board(call);
    const taskId = text(input, "taskId");
    const task = tasks.get(taskId);
    if (!task) {
      return {
        content: "Task not found",
        structured: { success: false, taskId, updatedFields: [], error: "Task not found" },
      };
    }
    const from = task.status;
    const status = text(input, "status");
    if (status === "deleted") {
      tasks.delete(taskId);
      return {
        content: `Updated task #${taskId} deleted`,
        structured: {
          success: true,
          taskId,
          updatedFields: ["deleted"],
          statusChange: { from, to: "deleted" },
        },
      };
    }
    if (status === "completed" && from !== "completed") {
      const error = await askTaskHooks("TaskCompleted", task, call);
      if (error !== undefined) {
        return { content: error, structured: { success: false, taskId, updatedFields: [], error } };
      }
    }
    const updatedFields: string[] = [];
    for (const field of ["subject", "description", "activeForm", "owner"] as const) {
      if (typeof input[field] !== "string" || task[field] === input[field]) continue;
      task[field] = input[field];
      updatedFields.push(field);
    }
    if (status !== "" && status !== from) {
      task.status = status;
      updatedFields.push("status");
    }
    link(tasks, task, "blocks", "blockedBy", input["addBlocks"], updatedFields);
    link(tasks, task, "blockedBy", "blocks", input["addBlockedBy"], updatedFields);
    return {
      content: `Updated task #${taskId} ${updatedFields.join(", ")}`,
      structured: {
        success: true,
        taskId,
        updatedFields,
        ...(updatedFields.includes("status") ? { statusChange: { from, to: status } } : {}),
      },
    };
  },
};

function link(
  tasks: Map<string, BoardTask>,
  task: BoardTask,
  here: "blocks" | "blockedBy",
  there: "blocks" | "blockedBy",
  added: unknown,
  updatedFields: string[],
): void {
  const fresh = (Array.isArray(added) ? added.map(String) : []).filter(
    (id) => !task[here].includes(id),
  );
  if (fresh.length === 0) return;
  task[here].push(...fresh);
  for (const id of fresh) tasks.get(id)?.[there].push(task.id);
  updatedFields.push(here);
}

export const taskList: Tool = {
  name: "TaskList",
  description: "Lists the tasks of this session.",
  input: shape({}),
  sideBySide: () => true,
  async run(_input, call) {
    const all = [...board(call).tasks.values()];
    const open = (id: string) => all.some((task) => task.id === id && task.status !== "completed");
    const tasks = all.map(({ id, subject, status, owner, blockedBy }) => ({
      id,
      subject,
      status,
      ...(owner === undefined ? {} : { owner }),
      blockedBy: blockedBy.filter(open),
    }));
    const lines = tasks.map(({ id, status, subject, owner, blockedBy }) => {
      const who = owner === undefined ? "" : ` (${owner})`;
      const waits =
        blockedBy.length > 0 ? ` [blocked by ${blockedBy.map((one) => `#${one}`).join(", ")}]` : "";
      return `#${id} [${status}] ${subject}${who}${waits}`;
    });
    return {
      content: lines.length > 0 ? lines.join("\n") : "No tasks found",
      structured: { tasks },
    };
  },
};

export const taskGet: Tool = {
  name: "TaskGet",
  description: "Shows one task of this session in full.",
  input: shape({ taskId: string("The task's number") }),
  sideBySide: () => true,
  async run(input, call) {
    const task = board(call).tasks.get(text(input, "taskId"));
    if (!task) return { content: "Task not found", structured: { task: null } };
    const { id, subject, description, status, blocks, blockedBy } = task;
    const numbers = (all: readonly string[]) => all.map((one) => `#${one}`).join(", ");
    const lines = [
      `Task #${id}: ${subject}`,
      `Status: ${status}`,
      `Description: ${description}`,
      ...(blockedBy.length > 0 ? [`Blocked by: ${numbers(blockedBy)}`] : []),
      ...(blocks.length > 0 ? [`Blocks: ${numbers(blocks)}`] : []),
    ];
    return {
      content: lines.join("\n"),
      structured: { task: { id, subject, description, status, blocks, blockedBy } },
    };
  },
};

export const todoWrite: Tool = {
  name: "TodoWrite",
  description: "Replaces the whole list of what is to be done in this session.",
  input: shape({
    todos: {
      type: "array",
      items: shape({
        content: string("What is to be done"),
        status: getOne(["pending", "in_progress", "completed"], "Where it stands"),
        activeForm: string("What is shown while it is worked on"),
      }),
    },
  }),
  async run(input, call) {
    const todos = Array.isArray(input["todos"]) ? (input["todos"] as { status?: string }[]) : [];
    const oldTodos = board(call).todos;
    const done = todos.length > 0 && todos.every(({ status }) => status === "completed");
    board(call).todos = done ? [] : todos;
    return {
      content:
        "Todos have been modified successfully. Go on with what is open, and keep the list true as the work goes on.",
      structured: { oldTodos, newTodos: todos },
    };
  },
};
