import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import type { OutgoingMessage } from "@signalbox/agent";

/** Work that continues beside the conversation: a command or an agent. */
export interface Task {
  readonly id: string;
  readonly runId: string;
  readonly type: "local_bash" | "local_agent";
  readonly description: string;
  readonly toolUseId: string;
  readonly outputPath: string;
  /** Further fields of `background_tasks_changed` and `task_started`. */
  readonly facts: JsonObject;
  readonly command?: string;
  status: "running" | "completed" | "failed" | "killed";
  exitCode?: number;
  /** Settles when the task has ended. */
  readonly ended: Promise<unknown>;
  /** Stops the task. `by`: who requested it, if the model should know. */
  stop(by?: Stopper): void;
}

export type Stopper = "user" | "Claude";

/** Describes a task for hooks. */
export function getSummary({ id, type, status, description, command, facts }: Task): JsonObject {
  const about = { id, status, description: clipText(description) };
  if (type === "local_agent") {
    return { ...about, type: "subagent", agent_type: facts["subagent_type"] };
  }
  return { ...about, type: "shell", ...(command !== undefined && { command: clipText(command) }) };
}

const LONGEST = 1000;
function clipText(text: string): string {
  const rest = text.length - LONGEST;
  return rest > 0 ? `${text.slice(0, LONGEST)}… [+${rest} chars]` : text;
}

const letters = "0123456789abcdefghijklmnopqrstuvwxyz";
function randomLetters(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join("");
}
export const newShellId = (): string => `b${randomLetters(8)}`;
export const newAgentId = (): string =>
  `a${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
export const newRunId = (): string =>
  `0${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}`;

/** The tasks of one session, and the messages about them to hosts. */
export class BackgroundTasks {
  readonly #tasks = new Map<string, Task>();
  readonly #folder: string;
  readonly #say: (message: OutgoingMessage) => void;

  constructor(folder: string, say: (message: OutgoingMessage) => void) {
    this.#folder = folder;
    this.#say = say;
  }

  /** Returns the file for a task's output. The folder is created for the first one. */
  outputPath(id: string): string {
    const folder = join(this.#folder, "tasks");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, `${id}.output`);
  }

  get(id: string): Task | undefined {
    return this.#tasks.get(id);
  }

  get running(): Task[] {
    return [...this.#tasks.values()].filter(({ status }) => status === "running");
  }

  /** Moves a task to the background. `isKnown`: hosts know that it runs in the foreground. */
  add(task: Task, isKnown = false): void {
    this.#tasks.set(task.id, task);
    this.sayChanged();
    if (isKnown) {
      const about = { task_id: task.id, run_id: task.runId };
      const patch = { is_backgrounded: true };
      this.#say({ type: "system", subtype: "task_updated", ...about, patch });
    } else this.#sayStarted(task, true);
  }

  /** Reports that a task in the foreground takes long. Returns a function that reports its end. */
  sayForeground(task: Task): (status: "completed" | "failed") => void {
    this.#sayStarted(task, false);
    return (status) =>
      this.#sayNotification(task, { status, output_file: "", summary: task.description });
  }

  #sayStarted(task: Task, inBackground: boolean): void {
    this.#say({
      type: "system",
      subtype: "task_started",
      task_id: task.id,
      run_id: task.runId,
      tool_use_id: task.toolUseId,
      description: task.description,
      is_backgrounded: inBackground,
      ...task.facts,
      task_type: task.type,
    });
  }

  #sayNotification(
    { id, runId, toolUseId }: Pick<Task, "id" | "runId" | "toolUseId">,
    more: JsonObject,
  ): void {
    const about = { task_id: id, run_id: runId, tool_use_id: toolUseId };
    this.#say({ type: "system", subtype: "task_notification", ...about, ...more });
  }

  /** Reports how a task ended, unless that was reported before. */
  settle(
    task: Task,
    status: Exclude<Task["status"], "running">,
    summary: string,
    more: JsonObject = {},
  ): boolean {
    if (task.status !== "running") return false;
    task.status = status;
    this.sayEnd(task, status, summary, more);
    this.sayChanged();
    return true;
  }

  sayEnd(
    task: Pick<Task, "id" | "runId" | "type" | "toolUseId" | "outputPath">,
    status: Exclude<Task["status"], "running">,
    summary: string,
    more: JsonObject = {},
  ): void {
    const about = { task_id: task.id, run_id: task.runId };
    const error = status === "failed" && task.type === "local_agent" ? { error: summary } : {};
    const patch = { status, end_time: Date.now(), ...error };
    this.#say({ type: "system", subtype: "task_updated", ...about, patch });
    this.#sayNotification(task, {
      status: status === "killed" ? "stopped" : status,
      output_file: task.outputPath,
      summary,
      ...more,
    });
  }

  sayChanged(): void {
    const tasks = this.running.map(({ id, runId, type, description, facts }) => ({
      task_id: id,
      run_id: runId,
      task_type: type,
      ...("subagent_type" in facts ? { subagent_type: facts["subagent_type"] } : {}),
      ...("parent_task_id" in facts ? { parent_task_id: facts["parent_task_id"] } : {}),
      description,
    }));
    this.#say({ type: "system", subtype: "background_tasks_changed", tasks });
  }

  stopAll(): void {
    for (const task of this.running) task.stop();
  }

  /** Stops all agents. An interrupt ends agents but not commands. */
  stopAgents(): void {
    for (const task of this.running) if (task.type === "local_agent") task.stop();
  }

  /** Whether a task that a subagent started is running. */
  hasTasksFrom(agentId: string): boolean {
    return this.running.some(({ facts }) => facts["parent_task_id"] === agentId);
  }

  /** Stops the tasks of a subagent whose ends nobody would be told about. */
  stopTasksFrom(agentId: string): void {
    for (const task of this.running) if (task.facts["parent_task_id"] === agentId) task.stop();
  }
}
