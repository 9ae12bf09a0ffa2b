import { writeFile } from "node:fs/promises";
import type { JsonObject } from "@signalbox/protocol/wire";
import { type HookOutcome, getRemarks } from "../hooks/outcome.ts";
import { failedAgentText } from "../model/failure-text.ts";
import { TurnUsage, getWindow } from "../model/usage.ts";
import type { ConversationEnd } from "./conversation-end.ts";
import { runConversation } from "./conversation.ts";
import type { Entry } from "../model/conversation.ts";
import { subagentOpening, subagentPrompt } from "./system-prompt.ts";
import { Thread, type ThreadAgent } from "./thread.ts";
import type { AgentDefinition } from "../commands/agents.ts";
import { skillTexts } from "./preloaded-skills.ts";
import { getTools } from "../commands/main-agent.ts";
import type { Session } from "../session.ts";
import { takeMessagesFor, type SubagentMessage } from "../tools/subagent-registry.ts";
import type { ToolCounter, ToolStats } from "../tools/tool-stats.ts";
import type { Call, Tool } from "../tool.ts";

/** The task of a subagent. */
export interface SubagentRun {
  readonly id: string;
  readonly runId: string;
  readonly definition: AgentDefinition;
  readonly description: string;
  readonly prompt: string;
  /** The prompt as its model sees it. */
  readonly modelPrompt: string;
  readonly model: string;
  readonly depth: number;
  readonly inBackground: boolean;
  readonly outputPath: string;
  /** The call under which its messages are sent, which never changes. */
  readonly lane: string;
  /** Its whole conversation. */
  readonly entries: Entry[];
  /** Messages that it receives while it works. */
  readonly inbox: SubagentMessage[];
  readonly counter: ToolCounter;
  readonly began: number;
}

export function describeStart(
  { definition, depth }: SubagentRun,
  call: Call,
  background: boolean,
): JsonObject {
  return {
    subagent_type: definition.type,
    is_backgrounded: background,
    spawn_depth: depth,
    ...(call.agent ? { parent_task_id: call.agent.id } : {}),
  };
}

/** The result of a subagent. */
export interface SubagentResult {
  readonly text: string;
  /** Explains that it reached the limit of turns, and what this means for the text. */
  readonly limit: string | undefined;
  readonly failed: boolean;
  /** A person stopped it, while the model answered or while tools ran. */
  readonly stopped: "streaming" | "tools" | undefined;
  readonly toolsUsed: string[];
  readonly stats: ToolStats | undefined;
  readonly usage: { total_tokens: number; tool_uses: number; duration_ms: number };
  readonly turnUsage: TurnUsage;
}

/** Runs a subagent from start to end. It never rejects, so that its caller always gets a report. */
export async function runSubagent(
  subagent: SubagentRun,
  call: Call,
  { signal, interruption }: Pick<Call, "signal" | "interruption">,
  allTools: () => readonly Tool[],
): Promise<SubagentResult> {
  const { session, toolUseId } = call;
  const { definition, id, inBackground } = subagent;
  const { counter, began, entries } = subagent;
  const isFirst = entries.length === 0;
  const turnUsage = new TurnUsage();
  const agent = {
    id,
    type: definition.type,
    depth: subagent.depth,
    toolUseId: subagent.lane,
    messageId: call.messageId,
    description: subagent.description,
    inBackground,
    visibility: getTold(subagent, session),
    effort: definition.effort,
    permissionMode: call.agent?.permissionMode ?? getMode(definition, session),
    toolsUsed: new Set<string>(),
  };
  const transcript = session.context.subagentTranscript(id);
  const about = { subject: definition.type, agent, signal };
  await session.hooks.load("SubagentStart"); // Otherwise the prompt would be reported first.
  const starting = session.hooks.run("SubagentStart", {}, about);
  const thread = new Thread({
    session,
    signal,
    interruption,
    entries,
    model: () => subagent.model,
    system: await subagentPrompt(session, definition),
    opening: await subagentOpening(session, definition),
    tools: () => toolsFor(subagent, allTools()),
    usage: turnUsage,
    agent,
    maxTurns: definition.maxTurns,
    say: (message) => {
      session.say(message);
      return typeof message["uuid"] === "string" ? message["uuid"] : "";
    },
    record: (message) => transcript.add(message),
    steering: () => takeMessagesFor(subagent),
  });
  const usage = () => ({
    total_tokens: getWindow(thread.answering?.tokens) || thread.tokensInWindow,
    tool_uses: counter.calls,
    duration_ms: Date.now() - began,
  });
  thread.onToolUse = (name, { input, isOffered, doing }) => {
    counter.add(name, input);
    if (isOffered) agent.toolsUsed.add(name);
    session.say({
      type: "system",
      subtype: "task_progress",
      task_id: id,
      run_id: subagent.runId,
      tool_use_id: toolUseId,
      description: doing ?? subagent.description,
      subagent_type: definition.type,
      usage: usage(),
      last_tool_name: name,
    });
  };
  await new Promise((resolve) => setImmediate(resolve));
  const task = [{ type: "text", text: subagent.modelPrompt }];
  if (inBackground) thread.takeUser(task);
  else thread.sayUser(task);
  const skills = isFirst ? await skillTexts(session, definition, signal) : [];
  for (const text of skills) thread.takeUser([{ type: "text", text }]);
  const ended = await startSubagent(thread, await starting).catch((cause: Error): End => ({
    reason: "api_error",
    text: cause.message,
  }));
  transcript.close();
  if (!inBackground || signal.aborted) session.tasks.stopTasksFrom(id);
  const limit = ended.reason === "max_turns" ? limitNote(thread.maxTurns, ended.text) : undefined;
  const endText = ended.failure
    ? failedAgentText(ended.text, ended.failure, subagent.model)
    : ended.text ||
      (limit === undefined && !isCut(ended) ? "The subagent ended without a word." : "");
  await writeFile(subagent.outputPath, endText, { mode: 0o600 }).catch(() => {});
  session.denials.push(...thread.denials);
  for (const name of agent.toolsUsed) call.agent?.toolsUsed.add(name);
  return {
    text: endText,
    limit,
    failed: ended.reason === "api_error",
    stopped: stops[ended.reason],
    toolsUsed: [...agent.toolsUsed].toSorted((one, other) => one.localeCompare(other)),
    stats: counter.report(),
    usage: usage(),
    turnUsage,
  };
}

type End = Pick<ConversationEnd, "reason" | "text" | "failure">;

/**
 * Runs the hooks of its start. Their additions are for its model; without their verdict it does not
 * begin.
 */
async function startSubagent(thread: Thread, started: HookOutcome): Promise<End> {
  if (started.noVerdict?.kind === "late") return { reason: "aborted_streaming", text: "" };
  for (const remark of getRemarks("SubagentStart", started)) thread.addModelNote(remark);
  return runConversation(thread, thread.session.context.options.maxBudgetUsd);
}

/** Whether a hook ended it. */
const isCut = ({ reason }: End): boolean => reason === "hook_stopped";

function limitNote(turns: number | undefined, text: string): string {
  const meaning =
    text === ""
      ? "It was still calling tools and had produced no report."
      : "The text below is PARTIAL output; treat it as incomplete.";
  return `NOTE: this agent stopped at its ${turns}-turn limit before finishing. ${meaning} SendMessage lets it go on.`;
}

/** Returns the complete report as one text. */
export const getSummary = ({ limit, text }: SubagentResult): string =>
  limit === undefined ? text : [limit, text].join(text === "" ? "\n" : "\n\n");

const stops: Partial<Record<ConversationEnd["reason"], SubagentResult["stopped"]>> = {
  aborted_streaming: "streaming",
  aborted_tools: "tools",
};

/**
 * Returns the permission mode. Skipping questions needs permission from whoever started the
 * program.
 */
function getMode({ permissionMode: mode }: AgentDefinition, { context, settings }: Session) {
  const { skipPermissions, allowSkipPermissions } = context.options;
  const isOpen = (skipPermissions || allowSkipPermissions) && !settings.forbidsBypass;
  return mode === "bypassPermissions" && !isOpen ? undefined : mode;
}

/**
 * Returns what is reported to hosts. In the background everything is; a subagent of a subagent is
 * reported by that one.
 */
function getTold(
  { inBackground, depth }: SubagentRun,
  session: Session,
): ThreadAgent["visibility"] {
  if (inBackground || session.forwardsSubagentText) return "all";
  return depth > 1 ? "nothing" : "calls";
}

const notForSubagents = new Set([
  "SendMessage",
  "AskUserQuestion",
  "EnterPlanMode",
  "ExitPlanMode",
  "StructuredOutput",
]);

/** The deepest level at which subagents may start others. */
const DEEPEST = 3;

/**
 * Returns the tools that a kind may use. It never asks the person questions of its own and never
 * plans for the session.
 */
function toolsFor({ definition, depth }: SubagentRun, all: readonly Tool[]): Tool[] {
  const isLast = depth >= DEEPEST;
  return getTools(definition, all).filter(
    ({ name }) => !notForSubagents.has(name) && !(isLast && name === "Agent"),
  );
}
