import type { JsonObject } from "@signalbox/protocol";
import type { Plan, ToolResult } from "../../tool-payload/payload.ts";
import {
  toFields,
  omitUndefined,
  stringify,
  stringifyOrUndefined,
  nonEmptyString,
} from "../../tool-payload/values.ts";

export function planCall(name: string, input: JsonObject): Plan {
  return omitUndefined({
    kind: "plan" as const,
    operation: name === "EnterPlanMode" ? ("enter" as const) : ("exit" as const),
    plan: stringify(input["plan"]),
    filePath: stringifyOrUndefined(input["planFilePath"]),
  });
}

/** The answer has the plan as the user left it; null if the agent wrote none to its file. */
export function planResult(payload: Plan, result: ToolResult): Plan {
  const { plan, filePath } = toFields(result.structured);
  return omitUndefined({
    ...payload,
    plan: nonEmptyString(plan) ?? payload.plan,
    filePath: nonEmptyString(filePath) ?? payload.filePath,
    approved: !result.isError,
  });
}
