import type { Session } from "@signalbox/client";
import { formatElapsed } from "../text/format.ts";
import { inert, spelled } from "../text/visible.ts";

function hasFailed({ summary }: Session): boolean {
  const { status, lastTurn, lastError } = summary;
  return status === "idle" && lastTurn !== "success" && lastError !== undefined;
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

/** What a session is doing, or did last, in one line. */
export function describeActivity(session: Session, now: number): string {
  const { summary, problem, queue } = session;
  if (problem !== undefined) return inert(problem);
  const task = summary.todos.find(({ status }) => status === "in_progress")?.description;
  const active = session.state === "running" && summary.status === "active";
  if (active && summary.retry) return describeRetry(summary.retry, now);
  if (summary.doing !== undefined && summary.status !== "idle") return spelled(summary.doing);
  if (active && summary.saying === "writing") return withTask("Writing", task);
  if (active && task !== undefined) return inert(task);
  if (hasFailed(session)) return inert(firstLine(summary.lastError ?? ""));
  if (active) return modelStateLabels[summary.saying ?? "nothing"];
  if (queue.length > 0) return `next: ${inert(queue[0]?.text ?? "")}`;
  return session.dialled === undefined
    ? describeIdleAgent(session)
    : describeIdleDialedAgent(session);
}

const modelStateLabels = {
  thinking: "Thinking",
  writing: "Writing",
  calling: "Preparing a call",
  nothing: "Waits for the model",
} as const;

function withTask(words: string, task: string | undefined): string {
  return task === undefined ? words : `${words}: ${inert(task)}`;
}

/** Why the model's request is retried, and when. */
function describeRetry(
  { at, status }: NonNullable<Session["summary"]["retry"]>,
  now: number,
): string {
  const why =
    status === 429 ? "The model's limit is reached" : `The model answered ${status ?? "nothing"}`;
  if (at === undefined || at <= now) return `${why}: trying again`;
  return `${why}: tries again in ${formatElapsed(Math.ceil((at - now) / 1000) * 1000)}`;
}

/** The status line of an idle agent that dials in. Nobody here can start it. */
function describeIdleDialedAgent({ state, summary }: Session): string {
  if (state === "new") return "No agent has dialled in yet";
  if (state !== "running") return "Its agent has left; messages wait";
  return summary.turns === 0 ? "Waits for its first message" : "";
}

function describeIdleAgent({ state }: Session): string {
  switch (state) {
    case "new":
      return "Nothing said yet";
    case "parked":
      return "Wakes with your next message";
    case "stopped":
      return "Stopped; your next message starts it again";
    default:
      return "";
  }
}
