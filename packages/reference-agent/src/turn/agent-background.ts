import type { Session } from "../session.ts";
import { newRunId, type Stopper, type Task } from "../tools/background.ts";
import type { SubagentMessage } from "../tools/subagent-registry.ts";
import {
  type SubagentResult,
  type SubagentRun,
  describeStart,
  getSummary,
  runSubagent,
} from "./subagent.ts";
import { ToolCounter } from "../tools/tool-stats.ts";
import type { Call, Output, Tool } from "../tool.ts";

/** Runs a subagent in the background. Its report is a separate message. */
export async function runInBackground(
  subagent: SubagentRun,
  call: Call,
  allTools: () => readonly Tool[],
): Promise<Output> {
  const { session, toolUseId } = call;
  const stop = new AbortController();
  const { description, outputPath } = subagent;
  const { is_backgrounded: _, ...facts } = describeStart(subagent, call, true);
  session.subagentRegistry.begin(subagent, createResume(subagent, call, allTools));
  let stopper: Stopper | "system" | undefined;
  const working = runSubagent(
    subagent,
    call,
    { signal: stop.signal, interruption: stop.signal },
    allTools,
  );
  const task: Task = {
    id: subagent.id,
    runId: subagent.runId,
    type: "local_agent",
    description,
    toolUseId,
    outputPath,
    facts: { ...facts, prompt: subagent.prompt },
    status: "running",
    ended: working,
    stop(by) {
      if (task.status !== "running") return;
      stopper = by ?? "system";
      stop.abort(); // Its open questions are withdrawn first.
      session.subagentStats.killed(killers[stopper]);
      session.tasks.settle(task, "killed", description);
      if (by) void working.then(() => tellStopped(session, task, by));
    },
  };
  session.tasks.add(task);
  const isUnwanted = () => task.status === "killed" && stopper !== "Claude";
  void report(session, task, working).then(() =>
    session.subagentRegistry.end(subagent.id, isUnwanted()),
  );
  return {
    content: [
      {
        type: "text",
        text: `Async agent launched successfully.\nagentId: ${subagent.id} (for your eyes only; SendMessage tells it more)\nIt works in the background, and its end is reported to you. Until then you know nothing of what it finds: go on with something else, and do not do its work over.\noutput_file: ${outputPath}`,
      },
    ],
    structured: {
      isAsync: true,
      status: "async_launched",
      agentId: subagent.id,
      description,
      resolvedModel: subagent.model,
      prompt: subagent.prompt,
      outputFile: outputPath,
      canReadOutputFile: true,
      canContinueAgent: !call.agent,
    },
  };
}

/**
 * Returns a function that starts a subagent again: in the background, with its conversation, for a
 * given call.
 */
export function createResume(
  subagent: SubagentRun,
  call: Call,
  allTools: () => readonly Tool[],
): (word: SubagentMessage, toolUseId?: string) => void {
  return ({ hostText: prompt, modelText }, toolUseId) => {
    const anew = toolUseId === undefined ? {} : { counter: new ToolCounter(), began: Date.now() };
    const next = {
      ...subagent,
      prompt,
      modelPrompt: modelText,
      runId: newRunId(),
      inBackground: true,
      ...anew,
    };
    void runInBackground(next, { ...call, toolUseId: toolUseId ?? subagent.lane }, allTools);
  };
}

const killers = { user: "user", Claude: "parent", system: "system" } as const;

function tellStopped(session: Session, task: Task, by: Stopper): void {
  session.notify(task, "killed", `Agent "${task.description}" was stopped by ${by}`);
}

async function report(
  session: Session,
  task: Task,
  working: Promise<SubagentResult>,
): Promise<void> {
  const done = await working;
  const { failed, stopped, usage } = done;
  if (stopped) {
    if (!session.tasks.settle(task, "killed", task.description)) return;
    session.subagentStats.killed("user");
    tellStopped(session, task, "user");
    return;
  }
  const taskSummary = getSummary(done);
  const status = failed ? "failed" : "completed";
  if (!session.tasks.settle(task, status, taskSummary, failed ? {} : { usage })) return;
  // A subagent whose commands are still running will be reported again.
  if (!session.tasks.hasTasksFrom(task.id)) session.subagentStats.ended(status, task.id);
  session.notify(task, status, `Agent "${task.description}" ${status}`, taskSummary);
}
