import type { AgentRequest } from "@signalbox/protocol/control";
import { failureText } from "@signalbox/protocol/wire";
import type { Launch } from "../launch/launch.ts";
import { launchFailed } from "../launch/run-end.ts";
import { readRegularFile } from "../system/read-regular-file.ts";
import { needsPerson, type Decision } from "./ask.ts";

/**
 * How much an agent may do without asking.
 * - `default`: the agent's own rules, and whatever they do not cover is asked.
 * - `supervised`: everything but reading is asked, even what the user's settings allow.
 * - `accept-edits`: the agent's own mode of that name.
 * - `plan`: the agent plans, in its own mode of that name; leaving the plan is asked, and all else passes
 *   to the agent's own rules.
 * - `autonomous`: nothing is asked.
 * Under none of them does anyone but a person answer a question or approve a plan.
 */
export type Policy = "default" | "supervised" | "accept-edits" | "plan" | "autonomous";

/** Tools that only read, or only keep the agent's own notes. Subagents' tools are asked themselves. */
const unsupervised = new Set([
  "Glob",
  "Grep",
  "NotebookRead",
  "Read",
  "Task",
  "Agent",
  "TodoWrite",
]);

/** Whether a tool only reads, or only keeps the agent's own notes. */
export function isReadOnlyTool(tool: string): boolean {
  return unsupervised.has(tool);
}

export interface PolicyRules {
  /** The agent's permission mode, unless the launch names one. */
  readonly permissionMode?: string;
  /** Settings of the agent's that the policy needs, whatever else is set. */
  readonly settings?: object;
  /** Whether a tool call must be asked, whatever else allows it. */
  readonly mustAsk?: (tool: string) => boolean;
  /** What is decided without a person when the agent asks. */
  readonly decide?: (request: AgentRequest<"can_use_tool">) => Decision | undefined;
  /** Whether the agent is held once when it is about to finish with uncommitted changes. */
  readonly checksStop: boolean;
}

const allowUnlessForPersons = (request: AgentRequest<"can_use_tool">): Decision | undefined =>
  needsPerson(request) ? undefined : { behavior: "allow" };

/**
 * The rules are ours, not the agent's `bypassPermissions`: with that, a hook of ours that fails or
 * comes late lets everything pass, and as root it is refused. This way what fails is asked.
 */
export const policies: Readonly<Record<Policy, PolicyRules>> = {
  default: { checksStop: false },
  supervised: {
    // The user's or the repository's settings may switch hooks off, or let a slash command run shell.
    settings: { disableAllHooks: false, disableSkillShellExecution: true },
    mustAsk: (tool) => !unsupervised.has(tool),
    checksStop: true,
  },
  "accept-edits": { permissionMode: "acceptEdits", checksStop: false },
  plan: { permissionMode: "plan", checksStop: true },
  autonomous: { decide: allowUnlessForPersons, checksStop: false },
};

/**
 * Else 2.1.325 puts every command of its mode `plan` to a classifier of its own, and asks nobody. Under every
 * policy, since the mode can be changed while the agent runs.
 */
const everywhere = { useAutoModeDuringPlan: false };

/** The launch as a policy wants it. A permission mode that the launch names is stronger. */
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
    throw launchFailed("bad-launch", { field: "settings", why: failureText(cause) }, { cause });
  }
}
