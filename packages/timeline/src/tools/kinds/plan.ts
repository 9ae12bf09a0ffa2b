import type { JsonObject } from "@signalbox/protocol";
import type { Plan, ToolResult } from "../payload.ts";
import { fieldsOf, given, said, saidOrNone, words } from "../values.ts";

export function planCall(name: string, input: JsonObject): Plan {
  return given({
    kind: "plan" as const,
    operation: name === "EnterPlanMode" ? ("enter" as const) : ("exit" as const),
    plan: said(input["plan"]),
    filePath: saidOrNone(input["planFilePath"]),
  });
}

/** The answer holds the plan as the user left it; null when the agent wrote none to its file. */
export function planResult(payload: Plan, result: ToolResult): Plan {
  const { plan, filePath } = fieldsOf(result.structured);
  return given({
    ...payload,
    plan: words(plan) ?? payload.plan,
    filePath: words(filePath) ?? payload.filePath,
    approved: !result.isError,
  });
}
