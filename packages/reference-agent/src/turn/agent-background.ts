import type { Session } from "../session.ts";
import { newRunId, type Stopper, type Task } from "../tools/background.ts";
import type { Word } from "../tools/crew.ts";
import { type Done, type Errand, startFacts, summaryOf, work } from "./errand.ts";
import { ToolCounter } from "../tools/tool-stats.ts";
import type { Call, Output, Tool } from "../tool.ts";

/** A subagent that is not waited for: its report comes as a message of its own. */
export async function inBackground(
  errand: Errand,
  call: Call,
  allTools: () => readonly Tool[],
): Promise<Output> {
  const { session, toolUseId } = call;
  const stop = new AbortController();
  const { description, outputPath } = errand;
  const { is_backgrounded: _, ...facts } = startFacts(errand, call, true);
  session.crew.begin(errand, goOn(errand, call, allTools));
  let stopper: Stopper | "system" | undefined;
  const working = work(errand, call, { signal: stop.signal, interruption: stop.signal }, allTools);
  const task: Task = {
    id: errand.id,
    runId: errand.runId,
    type: "local_agent",
    description,
    toolUseId,
    outputPath,
    facts: { ...facts, prompt: errand.prompt },
    status: "running",
    ended: working,
    stop(by) {
      if (task.status !== "running") return;
      stopper = by ?? "system";
      stop.abort(); // what it asked of anybody is withdrawn first
      session.subagents.killed(killers[stopper]);
      session.tasks.settle(task, "killed", description);
      if (by) void working.then(() => tellStopped(session, task, by));
    },
  };
  session.tasks.add(task);
  const isUnwanted = () => task.status === "killed" && stopper !== "Claude";
  void report(session, task, working).then(() => session.crew.end(errand.id, isUnwanted()));
  return {
    content: [
      {
        type: "text",
        text: `Async agent launched successfully.\nagentId: ${errand.id} (for your eyes only; SendMessage tells it more)\nIt works in the background, and its end is reported to you. Until then you know nothing of what it finds: go on with something else, and do not do its work over.\noutput_file: ${outputPath}`,
      },
    ],
    structured: {
      isAsync: true,
      status: "async_launched",
      agentId: errand.id,
      description,
      resolvedModel: errand.model,
      prompt: errand.prompt,
      outputFile: outputPath,
      canReadOutputFile: true,
      canContinueAgent: !call.agent,
    },
  };
}

/** How a subagent is sent on: in the background, with all that it knows, under the call that wants it. */
export function goOn(
  errand: Errand,
  call: Call,
  allTools: () => readonly Tool[],
): (word: Word, toolUseId?: string) => void {
  return ({ said: prompt, told }, toolUseId) => {
    const anew = toolUseId === undefined ? {} : { counter: new ToolCounter(), began: Date.now() };
    const next = { ...errand, prompt, told, runId: newRunId(), inBackground: true, ...anew };
    void inBackground(next, { ...call, toolUseId: toolUseId ?? errand.lane }, allTools);
  };
}

const killers = { user: "user", Claude: "parent", system: "system" } as const;

function tellStopped(session: Session, task: Task, by: Stopper): void {
  session.notify(task, "killed", `Agent "${task.description}" was stopped by ${by}`);
}

async function report(session: Session, task: Task, working: Promise<Done>): Promise<void> {
  const done = await working;
  const { failed, stopped, usage } = done;
  if (stopped) {
    if (!session.tasks.settle(task, "killed", task.description)) return;
    session.subagents.killed("user");
    tellStopped(session, task, "user");
    return;
  }
  const said = summaryOf(done);
  const status = failed ? "failed" : "completed";
  if (!session.tasks.settle(task, status, said, failed ? {} : { usage })) return;
  // One whose commands still run is heard of again.
  if (!session.tasks.hasOf(task.id)) session.subagents.ended(status, task.id);
  session.notify(task, status, `Agent "${task.description}" ${status}`, said);
}
