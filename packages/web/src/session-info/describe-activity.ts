import type { Session } from "@signalbox/client";
import { formatElapsed } from "../text/format.ts";
import { strings } from "../strings/strings.ts";
import { inert, spelled } from "../text/visible.ts";

const text = strings.activity;

function hasFailed({ state, summary }: Session): boolean {
  const { status, lastTurn, lastError } = summary;
  const isAtRest = status === "idle" || state === "parked";
  return isAtRest && lastTurn !== "success" && lastError !== undefined;
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
  if (active && summary.saying === "writing") return withTask(text.writing, task);
  if (active && task !== undefined) return inert(task);
  if (hasFailed(session)) return inert(firstLine(summary.lastError ?? ""));
  if (active) return modelStateLabels[summary.saying ?? "nothing"];
  if (queue.length > 0) return text.next(inert(queue[0]?.text ?? ""));
  return session.dialled === undefined
    ? describeIdleAgent(session)
    : describeIdleDialedAgent(session);
}

const modelStateLabels = {
  thinking: text.thinking,
  writing: text.writing,
  calling: text.preparing,
  nothing: text.waitingForModel,
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
    status === 429 ? text.rateLimited : status === 529 ? text.overloaded : text.apiError(status);
  if (at === undefined || at <= now) return text.retrying(why);
  return text.retryingIn(why, formatElapsed(Math.ceil((at - now) / 1000) * 1000));
}

/** The status line of an idle agent that dials in. Nobody here can start it. */
function describeIdleDialedAgent({ state, summary }: Session): string {
  if (state === "new") return text.notDialedYet;
  if (state !== "running") return text.dialedAgentLeft;
  return summary.turns === 0 ? text.waitingForFirst : "";
}

function describeIdleAgent({ state }: Session): string {
  switch (state) {
    case "new":
      return text.noMessages;
    case "parked":
      return text.parked;
    case "stopped":
      return text.stopped;
    default:
      return "";
  }
}
