import type { AgentSetting, LaunchOptions } from "@signalbox/api";
import { formatLogMarker } from "@signalbox/protocol";
import type { OrderOfKind } from "@signalbox/api/link";
import type { SessionRow } from "../store/store.ts";
import { omitUndefined } from "../omit-undefined.ts";

/** The order that starts a run of a session. */
export function createStartOrder(
  row: SessionRow,
  run: string,
  after: number,
  agent: AgentSetting,
  environment: Readonly<Record<string, string>>,
  allowed?: readonly string[],
): OrderOfKind<"start"> {
  const { folder, conversation, options } = row;
  const { model, mode, effort, addDirs, mcpServers, takeUp, isolation, systemPrompt } = options;
  const fork = takeUp?.fork === true;
  const launch = omitUndefined<LaunchOptions>({
    folder,
    agentPath: agent.path,
    agentPackage: agent.npm,
    flags: agent.flags.length > 0 ? agent.flags : undefined,
    model: model ?? agent.model,
    permissionMode: mode,
    effort,
    addDirs,
    isolation,
    mcpServers,
    fallbackModel: options.fallbackModel,
    maxTurns: options.maxTurns,
    maxBudgetUsd: options.maxBudgetUsd,
    jsonSchema: options.jsonSchema,
    systemPrompt: systemPrompt?.mode === "replace" ? systemPrompt.text : undefined,
    appendSystemPrompt: systemPrompt?.mode === "append" ? systemPrompt.text : undefined,
    renewSystemPrompt: options.isSystemPromptChanged,
    environment: Object.keys(environment).length > 0 ? { ...environment } : undefined,
    resume: conversation === null ? undefined : createResumeOption(conversation, takeUp?.at, fork),
  });
  const status = conversation === null ? "new" : fork ? "forked" : "resumed";
  const { id: session, driver, policy } = row;
  const limits = allowed ? { allowed: [...allowed] } : {};
  return { kind: "start", session, run, after, driver, policy, launch, status, ...limits };
}

function createResumeOption(
  id: string,
  at: string | undefined,
  fork: boolean,
): LaunchOptions["resume"] {
  return at === undefined ? { id, fork } : { id, at, fork };
}

/** A marker that a run is over because its runner does not know it any more. */
export function formatLostRun(run: string, state: string, isDialed: boolean): string {
  const sentence = isDialed ? DIALED_AGENT_LOST : state === "starting" ? NOT_STARTED : RUNNER_LOST;
  return formatLogMarker("run_ended", { run, status: "crashed", kind: "runner-lost", sentence });
}
const NOT_STARTED =
  "The agent was not started, because the runner ended first. The next message starts it.";
const RUNNER_LOST =
  "The runner ended, and the agent with it. The conversation is kept, and the next message starts the agent again.";
const DIALED_AGENT_LOST =
  "The hub lost its connection to the agent. The conversation is kept, and the session continues when an agent dials in.";
