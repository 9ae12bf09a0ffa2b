import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import type { OutgoingMessage } from "@signalbox/agent";

/** Something that works on while the conversation goes on: a command or an agent. */
export interface Task {
  readonly id: string;
  readonly runId: string;
  readonly type: "local_bash" | "local_agent";
  readonly description: string;
  readonly toolUseId: string;
  readonly outputPath: string;
  /** What `background_tasks_changed` and `task_started` say besides. */
  readonly facts: JsonObject;
  readonly command?: string;
  status: "running" | "completed" | "failed" | "killed";
  exitCode?: number;
  /** Everyone who waits for its end. */
  readonly ended: Promise<unknown>;
  /** `by`: who wants it, if the model is to know. */
  stop(by?: Stopper): void;
}

export type Stopper = "user" | "Claude";

/** A task as hooks are told of it. */
export function getSummary({ id, type, status, description, command, facts }: Task): JsonObject {
  const about = { id, status, description: clipped(description) };
  if (type === "local_agent") {
    return { ...about, type: "subagent", agent_type: facts["subagent_type"] };
  }
  return { ...about, type: "shell", ...(command !== undefined && { command: clipped(command) }) };
}

const LONGEST = 1000;
function clipped(text: string): string {
  const rest = text.length - LONGEST;
  return rest > 0 ? `${text.slice(0, LONGEST)}… [+${rest} chars]` : text;
}

const letters = "0123456789abcdefghijklmnopqrstuvwxyz";
function word(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join("");
}
export const newShellId = (): string => `b${word(8)}`;
export const newAgentId = (): string =>
  `a${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
export const newRunId = (): string =>
  `0${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}`;

/** The tasks of one session, and what hosts are told about them. */
export class BackgroundTasks {
  readonly #tasks = new Map<string, Task>();
  readonly #folder: string;
  readonly #say: (message: OutgoingMessage) => void;

  constructor(folder: string, say: (message: OutgoingMessage) => void) {
    this.#folder = folder;
    this.#say = say;
  }

  /** A file for a task's output; the folder is made with the first. */
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

  /** From now on in the background. `isKnown`: hosts were told that it runs, in the foreground. */
  add(task: Task, isKnown = false): void {
    this.#tasks.set(task.id, task);
    this.sayChanged();
    if (isKnown) {
      const about = { task_id: task.id, run_id: task.runId };
      const patch = { is_backgrounded: true };
      this.#say({ type: "system", subtype: "task_updated", ...about, patch });
    } else this.#sayStarted(task, true);
  }

  /** What somebody waits for takes its time. Says so, and gives what says its end. */
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

  /** Says how a task ended, if that was not said before. */
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

  /** Agents do not outlive an interrupt; commands do. */
  stopAgents(): void {
    for (const task of this.running) if (task.type === "local_agent") task.stop();
  }

  /** Whether something runs that a subagent began. */
  hasTasksFrom(agentId: string): boolean {
    return this.running.some(({ facts }) => facts["parent_task_id"] === agentId);
  }

  /** What a subagent began and nobody would hear of any more. */
  stopTasksFrom(agentId: string): void {
    for (const task of this.running) if (task.facts["parent_task_id"] === agentId) task.stop();
  }
}
