import type { JsonObject } from "@signalbox/protocol";
import { textOf } from "../content.ts";
import type { Job, Schedule, ToolResult } from "../payload.ts";
import { fieldsOf, flag, given, number, said, saidOrNone, whole, words } from "../values.ts";

export function scheduleCall(name: string, input: JsonObject): Schedule {
  return given({
    kind: "schedule" as const,
    operation: operations.get(name) ?? "create",
    id: saidOrNone(input["id"]),
    cron: saidOrNone(input["cron"]),
    prompt: saidOrNone(input["prompt"]),
    recurring: flag(input["recurring"]),
    durable: flag(input["durable"]),
    delaySeconds: number(input["delaySeconds"]),
    reason: saidOrNone(input["reason"]),
    stop: flag(input["stop"]),
  });
}
const operations = new Map<string, Schedule["operation"]>([
  ["CronDelete", "delete"],
  ["CronList", "list"],
  ["ScheduleWakeup", "wakeup"],
]);

export function scheduleResult(payload: Schedule, { content, structured }: ToolResult): Schedule {
  const from = fieldsOf(structured);
  const { jobs, id, scheduledFor } = from;
  const made = id === undefined ? undefined : [job({ ...payload, ...from })];
  const listed = Array.isArray(jobs) ? jobs.map(job) : undefined;
  const output = given({
    text: textOf(content),
    jobs: listed ?? (payload.operation === "create" ? made : undefined),
    nextAtMs: whole(number(scheduledFor) || number(from["nextFireAt"])), // 0 when a loop was stopped
    stopped: flag(from["stopped"]),
  });
  return { ...payload, output };
}

function job(value: unknown): Job {
  const { id, cron, prompt, humanSchedule, recurring, nextFireAt } = fieldsOf(value);
  return given({
    id: said(id),
    cron: words(cron),
    prompt: words(prompt),
    schedule: words(humanSchedule),
    recurring: flag(recurring),
    nextAtMs: whole(number(nextFireAt)),
  });
}
