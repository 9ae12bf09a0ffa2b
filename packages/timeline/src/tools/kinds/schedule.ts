import type { JsonObject } from "@signalbox/protocol";
import { extractText } from "../../tool-payload/content.ts";
import type { Job, Schedule, ToolResult } from "../../tool-payload/payload.ts";
import {
  toFields,
  flag,
  omitUndefined,
  number,
  stringify,
  stringifyOrUndefined,
  toInteger,
  nonEmptyString,
} from "../../tool-payload/values.ts";

export function scheduleCall(name: string, input: JsonObject): Schedule {
  return omitUndefined({
    kind: "schedule" as const,
    operation: operations.get(name) ?? "create",
    id: stringifyOrUndefined(input["id"]),
    cron: stringifyOrUndefined(input["cron"]),
    prompt: stringifyOrUndefined(input["prompt"]),
    recurring: flag(input["recurring"]),
    durable: flag(input["durable"]),
    delaySeconds: number(input["delaySeconds"]),
    reason: stringifyOrUndefined(input["reason"]),
    stop: flag(input["stop"]),
  });
}
const operations = new Map<string, Schedule["operation"]>([
  ["CronDelete", "delete"],
  ["CronList", "list"],
  ["ScheduleWakeup", "wakeup"],
]);

export function scheduleResult(payload: Schedule, { content, structured }: ToolResult): Schedule {
  const from = toFields(structured);
  const { jobs, id, scheduledFor } = from;
  const made = id === undefined ? undefined : [job({ ...payload, ...from })];
  const listed = Array.isArray(jobs) ? jobs.map(job) : undefined;
  const output = omitUndefined({
    text: extractText(content),
    jobs: listed ?? (payload.operation === "create" ? made : undefined),
    nextAtMs: toInteger(number(scheduledFor) || number(from["nextFireAt"])), // The delay is 0 when a loop was stopped.
    stopped: flag(from["stopped"]),
  });
  return { ...payload, output };
}

function job(value: unknown): Job {
  const { id, cron, prompt, humanSchedule, recurring, nextFireAt } = toFields(value);
  return omitUndefined({
    id: stringify(id),
    cron: nonEmptyString(cron),
    prompt: nonEmptyString(prompt),
    schedule: nonEmptyString(humanSchedule),
    recurring: flag(recurring),
    nextAtMs: toInteger(number(nextFireAt)),
  });
}
