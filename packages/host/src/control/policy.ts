import { errorMessage } from "@signalbox/protocol/text";
import type { AgentRequest } from "@signalbox/protocol/control";
import type { Launch } from "../launch/launch.ts";
import { createLaunchError } from "../launch/run-end.ts";
import { readRegularFile } from "../system/read-regular-file.ts";
import { needsPerson, type Decision } from "./ask.ts";

/**
 * How much an agent may do without asking.
 * - `default`: the agent's own rules decide; everything else is asked.
 * - `supervised`: everything except reading is asked, even what the user's settings allow.
 * - `accept-edits`: the agent's own mode of that name.
 * - `plan`: the agent plans, in its own mode of that name; leaving the plan is asked, and the
 *   agent's own rules decide about everything else.
 * - `autonomous`: nothing is asked.
 * Under every policy, only a person can answer a question or approve a plan.
 */
export type Policy = "default" | "supervised" | "accept-edits" | "plan" | "autonomous";

/**
 * Tools that only read, or only write the agent's own notes. Calls of a subagent are asked
 * separately.
 */
const unsupervised = new Set([
  "Glob",
  "Grep",
  "NotebookRead",
  "Read",
  "Task",
  "Agent",
  "TodoWrite",
]);

/** Whether a tool only reads, or only writes the agent's own notes. */
export function isReadOnlyTool(tool: string): boolean {
  return unsupervised.has(tool);
}

export interface PolicyRules {
  /** The agent's permission mode, unless the launch names one. */
  readonly permissionMode?: string;
  /** Settings of the agent that the policy needs and that override all others. */
  readonly settings?: object;
  /** Whether a tool call must be asked, even if a rule allows it. */
  readonly mustAsk?: (tool: string) => boolean;
  /** The decision without a person when the agent asks, if the policy has one. */
  readonly decide?: (request: AgentRequest<"can_use_tool">) => Decision | undefined;
  /** Whether the agent is stopped once when it is about to finish with uncommitted changes. */
  readonly checksStop: boolean;
}

const allowUnlessForPersons = (request: AgentRequest<"can_use_tool">): Decision | undefined =>
  needsPerson(request) ? undefined : { behavior: "allow" };

/**
 * `autonomous` uses our own rules instead of the agent's `bypassPermissions`: that mode lets
 * everything pass when our hook fails or is late, and is refused as root. With our rules, a failure
 * leads to a question.
 */
export const policies: Readonly<Record<Policy, PolicyRules>> = {
  default: { checksStop: false },
  supervised: {
    // Otherwise settings of the user or the repository could disable hooks, or let a slash command
    // run a shell.
    settings: { disableAllHooks: false, disableSkillShellExecution: true },
    mustAsk: (tool) => !unsupervised.has(tool),
    checksStop: true,
  },
  "accept-edits": { permissionMode: "acceptEdits", checksStop: false },
  plan: { permissionMode: "plan", checksStop: true },
  autonomous: { decide: allowUnlessForPersons, checksStop: false },
};

/**
 * Without this setting, 2.1.325 in mode `plan` lets a classifier decide about commands, and asks
 * nobody. It is set under every policy, because the mode can change while the agent runs.
 */
const everywhere = { useAutoModeDuringPlan: false };

/** Applies the policy to a launch. A permission mode in the launch takes precedence. */
export function applyPolicy(policy: Policy, launch: Launch): Launch {
  const { permissionMode, settings } = policies[policy];
  return {
    ...(permissionMode !== undefined && { permissionMode }),
    ...launch,
    settings: { ...parseSettings(launch), ...everywhere, ...settings },
  };
}

function parseSettings({ settings }: Launch): object {
  if (typeof settings !== "string") return settings ?? {};
  try {
    const text = settings.trimStart().startsWith("{") ? settings : readRegularFile(settings);
    return JSON.parse(text) as object;
  } catch (cause) {
    throw createLaunchError(
      "bad-launch",
      { field: "settings", why: errorMessage(cause) },
      { cause },
    );
  }
}
