import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { shape, type Tool, ToolFailure } from "../tool.ts";

export const enterPlanMode: Tool = {
  name: "EnterPlanMode",
  description:
    "Begins planning: until the plan is approved nothing but the plan is written. For work that should be agreed upon before it is done.",
  input: shape({}),
  beginsAtOnce: () => true,
  async run(_input, { session, agent }) {
    if (agent) throw new ToolFailure("EnterPlanMode tool cannot be used in agent contexts");
    session.permission.setMode("plan");
    const message = "Entered plan mode. Explore what is there and design how it is to be done.";
    return {
      content: `${message}\n\nWeigh the ways to do it, ask with AskUserQuestion where a decision is the user's. Write the plan to ${session.planPath}, then call ExitPlanMode so that the user can approve it. Until then nothing else is to be written.`,
      structured: { message },
    };
  },
};

export const exitPlanMode: Tool = {
  name: "ExitPlanMode",
  description:
    "Shows the user the plan that was written to the plan file and asks for approval. Planning ends when they approve.",
  input: {
    type: "object",
    properties: { plan: { type: "string" }, planFilePath: { type: "string" } },
    additionalProperties: true,
  },
  needsPerson: true,
  /** Adds the plan from its file to the input, for everyone who sees the call. */
  async complete(input, session) {
    const plan = await readPlan(session.planPath);
    return plan === "" ? input : { ...input, plan, planFilePath: session.planPath };
  },
  /** Hides a plan that is in no file, because it could not be read again. */
  shown: (input, session) => {
    const { plan: _, ...others } = input;
    return existsSync(session.planPath) ? input : others;
  },
  async refuse(_input, session) {
    return session.permission.mode === "plan"
      ? undefined
      : "You are not in plan mode. This tool is only for exiting plan mode after writing a plan.";
  },
  judge: () => ({ behavior: "ask" }),
  async run(_input, { session, agent }) {
    const plan = await readPlan(session.planPath);
    const { permission } = session;
    // The person who approved may have chosen a mode at the same time.
    if (permission.mode === "plan") permission.setMode(permission.modeBeforePlan);
    const head =
      "User has approved your plan. Begin with it; if there is a list of todos, bring it up to date first.";
    const content =
      plan === ""
        ? "User has approved exiting plan mode. You can now proceed."
        : `${head}\n\nIt stands in ${session.planPath}, to be looked up again.\n\n## Approved Plan:\n${plan}`;
    return {
      content,
      structured: {
        plan: plan === "" ? null : plan,
        isAgent: agent !== undefined,
        filePath: session.planPath,
      },
    };
  },
};

async function readPlan(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
