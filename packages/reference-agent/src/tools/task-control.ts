import { readFile } from "node:fs/promises";
import type { Task } from "./background.ts";
import { count, flag, number, shape, string, text, type Tool, ToolFailure } from "../tool.ts";

const MAX_OUTPUT = 30_000;

export const taskOutput: Tool = {
  name: "TaskOutput",
  description:
    "Gives what a task in the background has printed so far. With block it waits for the task's end, up to timeout milliseconds.",
  input: shape(
    { task_id: string("The task's id") },
    {
      block: flag("Wait for the end; yes unless said otherwise"),
      timeout: number("How long to wait, in milliseconds"),
    },
  ),
  sideBySide: () => true,
  async run(input, { session, signal }) {
    const id = text(input, "task_id");
    const task = session.tasks.get(id);
    if (!task) throw new ToolFailure(`No task found with ID: ${id}`);
    if (input["block"] !== false)
      await endOrTimeout(task, count(input, "timeout") ?? 30_000, signal);
    const output = await readFile(task.outputPath, "utf8").catch(() => "");
    const shown = output.length > MAX_OUTPUT ? `…\n${output.slice(-MAX_OUTPUT)}` : output;
    const running = task.status === "running";
    const lines = [
      `<retrieval_status>${running ? (input["block"] === false ? "not_ready" : "timeout") : "success"}</retrieval_status>`,
      `<task_id>${id}</task_id>`,
      `<task_type>${task.type}</task_type>`,
      `<status>${task.status}</status>`,
      ...(task.exitCode === undefined ? [] : [`<exit_code>${task.exitCode}</exit_code>`]),
      `<output>\n${shown.trimEnd()}\n</output>`,
    ];
    return {
      content: lines.join("\n\n"),
      structured: {
        retrieval_status: running ? "timeout" : "success",
        task: {
          task_id: id,
          task_type: task.type,
          status: task.status,
          description: task.description,
          output: shown,
          ...(task.exitCode === undefined ? {} : { exitCode: task.exitCode }),
        },
      },
    };
  },
};

export const taskStop: Tool = {
  name: "TaskStop",
  description: "Ends a task in the background, with everything it started.",
  input: shape(
    {},
    { task_id: string("The task's id"), shell_id: string("The older name of task_id") },
  ),
  async refuse(input, session) {
    const id = text(input, "task_id") || text(input, "shell_id");
    if (id === "") return "Missing required parameter: task_id";
    const task = session.tasks.get(id);
    if (!task) return `No task found with ID: ${id}`;
    return task.status === "running"
      ? undefined
      : `Task ${id} is not running (status: ${task.status})`;
  },
  run(input, { session }) {
    const id = text(input, "task_id") || text(input, "shell_id");
    const task = session.tasks.get(id);
    if (!task) throw new ToolFailure(`No task found with ID: ${id}`);
    task.stop("Claude");
    const about = task.command ?? task.description;
    const structured = {
      message: `Successfully stopped task: ${id} (${about})`,
      task_id: id,
      task_type: task.type,
      command: about,
    };
    return Promise.resolve({ content: JSON.stringify(structured), structured });
  },
};

async function endOrTimeout(task: Task, timeoutMs: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(timeoutMs, 600_000));
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await Promise.race([task.ended, late]);
  clearTimeout(timer);
}
