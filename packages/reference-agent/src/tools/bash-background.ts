import type { JsonObject } from "@signalbox/protocol/wire";
import { commandEnvironment, linesOfHooks } from "../hooks/environment.ts";
import type { Session } from "../session.ts";
import { newRunId, newShellId, type Task } from "./background.ts";
import { type Shell, startShell } from "./process-group.ts";
import { type Call, type Output, text } from "../tool.ts";

/** A running command, and what hosts may be told about it. */
interface RunningTask {
  readonly task: Task;
  readonly command: Shell;
}

const LONGEST_MS = 30 * 60_000;

/** Whether commands may continue after their call. */
export function hasBackground({ context }: Session): boolean {
  return !/^(?:1|true|yes|on)$/i.test(
    context.environment["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"] ?? "",
  );
}

/** Starts a command. `line` returns the text for Bash, given the file for the output. */
export function startTask(
  input: JsonObject,
  { session, toolUseId, agent }: Call,
  line: (outputPath: string) => string,
): RunningTask {
  const command = text(input, "command");
  const description = text(input, "description") || command;
  const id = newShellId();
  const outputPath = session.tasks.outputPath(id);
  session.permission.knowsShell = true;
  const shell = startShell({
    command: linesOfHooks(session) + line(outputPath),
    folder: session.shellFolder,
    environment: commandEnvironment(session),
    outputPath,
  });
  const task: Task = {
    id,
    runId: newRunId(),
    type: "local_bash",
    description,
    toolUseId,
    outputPath,
    facts: agent ? { owned_by_subagent: true, parent_task_id: agent.id } : {},
    command,
    status: "running",
    ended: shell.ended,
    stop(by) {
      const isNews = session.tasks.settle(task, "killed", description) && by === "user" && !agent;
      // The model is told with the next prompt and is not woken for it.
      if (isNews) {
        session.startContexts.push(
          `The background command "${description}" (${id}) was stopped by the user.`,
        );
      }
      shell.kill();
    },
  };
  return { task, command: shell };
}

export async function inBackground(input: JsonObject, call: Call): Promise<Output> {
  const running = startTask(input, call, () => text(input, "command"));
  const { id, outputPath } = running.task;
  call.session.tasks.add(running.task);
  void report(call.session, running);
  const content = `Command running in background with ID: ${id}. Output is being written to: ${outputPath}. ${describeLifetime(call)} To check interim output, use Read on that file path.`;
  return backgroundOutput(content, { stdout: "", backgroundTaskId: id });
}

/**
 * Explains when a subagent's command ends: together with the subagent, if somebody waits for that.
 */
function describeLifetime({ agent }: Call): string {
  return !agent || agent.inBackground
    ? "You will be notified when it completes."
    : "You are told of its end as long as you work, but it is stopped with your final answer: if you need what it does, wait for it before you answer.";
}

/** Lets a command continue after its timeout, for half an hour at most. Its end is reported. */
export function moveToBackground(session: Session, running: RunningTask, isKnown: boolean): void {
  const { task, command: shell } = running;
  session.tasks.add(task, isKnown);
  void report(session, running);
  const timer = setTimeout(() => {
    const summary = `Background command "${task.description}" was stopped after ${formatDuration(LONGEST_MS)}`;
    if (session.tasks.settle(task, "killed", summary)) session.notify(task, "killed", summary);
    shell.kill();
  }, LONGEST_MS);
  void shell.ended.then(() => clearTimeout(timer));
}

export function createMovedOutput(
  { id, outputPath }: Task,
  shown: string,
  timeoutMs: number,
): Output {
  const sentence = `Command did not complete within its ${formatDuration(timeoutMs)} timeout and was moved to the background (ID: ${id}). Output is being written to: ${outputPath}. It still runs: do not begin it a second time. You are told when it ends, and it is stopped after ${formatDuration(LONGEST_MS)} more. Read shows what it has said so far, TaskStop ends it.`;
  const content = shown === "" ? sentence : `${shown}\n${sentence}`;
  const facts = { stdout: shown, backgroundTaskId: id, timedOutAfterMs: timeoutMs };
  return backgroundOutput(content, facts);
}

function backgroundOutput(content: string, { stdout, ...more }: JsonObject): Output {
  const toolOutput = {
    stdout,
    stderr: "",
    interrupted: false,
    isImage: false,
    noOutputExpected: false,
  };
  return { content, structured: { ...toolOutput, ...more }, saysOk: true };
}

async function report(session: Session, { task, command: shell }: RunningTask): Promise<void> {
  const code = await shell.ended;
  task.exitCode = code;
  const status = code === 0 ? "completed" : "failed";
  const how = code === 0 ? "completed (exit code 0)" : `failed with exit code ${code}`;
  const summary = `Background command "${task.description}" ${how}`;
  if (session.tasks.settle(task, status, summary)) session.notify(task, status, summary);
}

/** Formats a duration: `90000` becomes "1m 30s". */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (minutes === 0) return `${seconds}s`;
  return rest === 0 ? `${minutes}m` : `${minutes}m ${rest}s`;
}
