import type { JsonObject } from "@signalbox/protocol/wire";
import { startRemarks } from "../hooks/session-start.ts";
import { askAside, getText } from "../model/aside.ts";
import { apiMessages, type Entry } from "../model/conversation.ts";
import { failureText } from "../model/failure-text.ts";
import { getFailure, ModelFailure } from "../model/failure.ts";
import { getFacts } from "../model/models.ts";
import type { HookOutcome } from "../hooks/outcome.ts";
import type { Session } from "../session.ts";
import { newAgentId } from "../tools/background.ts";
import { repeatAfterCompaction } from "./repeat-after-compaction.ts";
import type { Thread } from "./thread.ts";

/** Tokens reserved for the answer and for the summary itself. */
const RESERVE = 33_000;

export function compactionThreshold(model: string): number {
  return getFacts(model).contextWindow - RESERVE;
}

export function isNearlyFull(thread: Thread): boolean {
  const { environment } = thread.session.context;
  if (environment["DISABLE_AUTO_COMPACT"] || environment["DISABLE_COMPACT"]) return false;
  return thread.tokensInWindow >= compactionThreshold(thread.model());
}

const ORDER = `Your task is to create a detailed summary of the conversation so far, from which the work can go on without it. Answer with text alone and call no tool.
Put it between <summary> and </summary>, and say: what the user asked for, word for word where it matters; what was done and decided and why; the files and passages that matter; what went wrong and how it was mended; what is still to be done, and the very next step.`;

const TOO_FEW = "Not enough messages to compact.";

interface Compacted {
  /** The text that replaces the earlier conversation for the model. */
  readonly text: string;
  /** The summary as the model wrote it. */
  readonly whole: string;
  readonly preTokens: number;
  readonly postTokens: number;
}

/** Summarizes the conversation and replaces it. Reports progress. */
export async function compact(
  thread: Thread,
  trigger: "manual" | "auto",
  options: {
    instructions?: string;
    beforeBoundary?: () => Promise<void>;
    /** The least number of answers: with fewer there is nothing to gain. */
    minAnswers?: number;
  } = {},
): Promise<{ hooks: string[] } | { why: string; kind: "failed" | "needless" | "canceled" }> {
  const { session } = thread;
  const began = Date.now();
  const start = trigger === "auto" ? { compact_output_chars: 0 } : {};
  const sayStart = () =>
    thread.say({ type: "system", subtype: "status", status: "compacting", ...start });
  if (trigger === "manual") sayStart();
  const pre = await session.hooks.run(
    "PreCompact",
    { trigger, custom_instructions: options.instructions || null },
    { subject: trigger, signal: thread.signal },
  );
  if (trigger === "auto") sayStart();
  const added = pre.ran.filter(({ isDone }) => isDone).map(({ hookText }) => hookText);
  const instructions = [options.instructions ?? "", ...added].filter(Boolean).join("\n\n");
  const preservedEntries = getKept(thread.entries, trigger);
  const parts = {
    past: thread.entries.slice(0, thread.entries.length - preservedEntries.length),
    preservedEntries,
  };
  const failed = (
    compact_error: string,
    why = compact_error,
    kind: "failed" | "needless" | "canceled" = "failed",
  ) => {
    const status = { status: null, compact_result: "failed", compact_error };
    thread.say({ type: "system", subtype: "status", ...status });
    return { why, kind };
  };
  if (pre.blocked !== undefined) {
    const why = `Compaction blocked by PreCompact hook: ${getBlock(pre)}`;
    return failed(`skipped: ${why}`, why);
  }
  if (!thread.entries.some(isAnswer)) return failed(TOO_FEW, TOO_FEW, "needless");
  if (getAnswers(thread.entries) < (options.minAnswers ?? 1)) return failed("too_few_groups");
  const compacted = await summarize(thread, parts, instructions);
  if (thread.signal.aborted) {
    return failed("API Error: Request was aborted.", "Compaction canceled.", "canceled");
  }
  if ("why" in compacted) return failed(compacted.why);
  const started = await session.hooks.run(
    "SessionStart",
    { source: "compact", model: thread.model() },
    { subject: "compact", signal: thread.signal },
  );
  const post = await session.hooks.run(
    "PostCompact",
    { trigger, compact_summary: compacted.whole },
    { subject: trigger, signal: thread.signal },
  );
  const isUnheard = thread.signal.aborted;
  thread.say({ type: "system", subtype: "status", status: null, compact_result: "success" });
  await options.beforeBoundary?.();
  const last = thread.entries.findLast(({ uuid }) => uuid !== undefined)?.uuid;
  const { preTokens, postTokens, text } = compacted;
  const anchor = crypto.randomUUID();
  dropped.set(session, (dropped.get(session) ?? 0) + preTokens - postTokens);
  thread.say({
    type: "system",
    subtype: "compact_boundary",
    compact_metadata: {
      trigger,
      pre_tokens: preTokens,
      post_tokens: postTokens,
      cumulative_dropped_tokens: dropped.get(session),
      duration_ms: Date.now() - began,
      ...describePreserved(preservedEntries, anchor),
    },
    ...(last === undefined ? {} : { logical_parent_uuid: last }),
  });
  thread.entries.length = 0;
  thread.memoryMet.clear();
  const repeatedNotes = await repeatAfterCompaction(session, preservedEntries, thread.signal);
  session.memory = undefined;
  session.shownSkills.clear();
  session.announcedFolder = session.context.folder;
  session.memoryReason = "compact";
  if (trigger === "auto") {
    thread.summaries++;
    thread.sayUser([{ type: "text", text }], { isSynthetic: true, uuid: anchor }, SUMMARY);
  } else sayManually(thread, text, anchor);
  thread.entries.push(...preservedEntries);
  thread.tokensInWindow = postTokens;
  for (const text of repeatedNotes) thread.addModelNote(text);
  session.startContexts.push(...startRemarks(started, "compact"));
  if (trigger === "auto")
    for (const text of session.startContexts.splice(0)) thread.addModelNote(text);
  const after = isUnheard ? [] : getReports("PostCompact", post);
  return { hooks: [...getReports("PreCompact", pre), ...after] };
}

/** Describes who blocked, and why if it was not a hook of the host. */
function getBlock({ blocked = "", inItsWords, blockedBy, noVerdict }: HookOutcome): string {
  if (inItsWords !== undefined || noVerdict) return blocked.trim();
  return blockedBy === undefined ? "[callback]" : `[${blockedBy}]: ${blocked.trim()}`;
}

function getReports(event: string, { ran }: HookOutcome): string[] {
  return ran.map(({ name, isDone, hookText }) => {
    const end = isDone ? "completed successfully" : "failed";
    return `${event} [${name}] ${end}${hookText === "" ? "" : `: ${hookText}`}`;
  });
}

const getAnswers = (entries: readonly Entry[]): number =>
  new Set(entries.filter(isAnswer).map(({ messageId }) => messageId)).size;

const isAnswer = ({ role }: Entry): boolean => role === "assistant";

/**
 * Returns the messages to keep verbatim: the last answer and what followed, if another answer came
 * before. If the window is full after a single answer, only what was asked since.
 */
function getKept(entries: readonly Entry[], trigger: "manual" | "auto"): Entry[] {
  const last = entries.findLast(isAnswer);
  const start = entries.findIndex((one) => isAnswer(one) && one.messageId === last?.messageId);
  if (entries.slice(0, Math.max(start, 0)).some(isAnswer)) return entries.slice(start);
  const isPrompt = ({ role, content }: Entry) =>
    role === "user" && content.every(({ type }) => type !== "tool_result");
  const answered = entries.findLastIndex((entry) => !isPrompt(entry));
  return trigger === "auto" ? entries.slice(answered + 1) : [];
}

/** Describes where the kept messages were, and the message that they now follow. */
function describePreserved(preservedEntries: readonly Entry[], anchor: string): JsonObject {
  const uuids = preservedEntries.flatMap(({ uuid }) => uuid ?? []);
  if (uuids.length === 0) return {};
  return {
    preserved_segment: { head_uuid: uuids[0], anchor_uuid: anchor, tail_uuid: uuids.at(-1) },
    preserved_messages: { anchor_uuid: anchor, uuids, all_uuids: uuids },
  };
}

/** The fields that mark the record of a summary. */
const SUMMARY = { isVisibleInTranscriptOnly: true, isCompactSummary: true };

const dropped = new WeakMap<Session, number>();

function sayManually(thread: Thread, text: string, uuid: string): void {
  const message = { role: "user", content: text };
  const line = {
    type: "user",
    uuid,
    message,
    parent_tool_use_id: null,
    timestamp: new Date().toISOString(),
    isReplay: false,
    isSynthetic: true,
  };
  thread.say(line, { ...line, ...SUMMARY });
  thread.entries.push({ role: "user", content: [{ type: "text", text }], uuid });
}

async function summarize(
  thread: Thread,
  { past, preservedEntries }: { past: readonly Entry[]; preservedEntries: readonly Entry[] },
  instructions: string,
): Promise<Compacted | { why: string }> {
  const { session } = thread;
  const preTokens = thread.tokensInWindow;
  const order = instructions === "" ? ORDER : `${ORDER}\n\nThe user adds: ${instructions}`;
  const asked: Entry[] = [
    ...thread.opening,
    ...past,
    { role: "user", content: [{ type: "text", text: order }] },
  ];
  const answer = await askAside(session, {
    model: thread.model(),
    system: thread.system.join("\n\n"),
    messages: apiMessages(asked),
    tools: thread
      .tools()
      .map(({ name, description, input }) => ({ name, description, input_schema: input })),
    signal: thread.signal,
  }).catch(getFailure);
  if (answer instanceof ModelFailure) {
    const gateway = session.context.environment["ANTHROPIC_BASE_URL"];
    const why = failureText(answer, { model: thread.model(), gateway });
    return { why: `Error during compaction: ${why}` };
  }
  const whole = getText(answer.blocks);
  if (whole === "") return { why: "The conversation could not be summed up." };
  await sayStopped(thread, whole);
  const summary = /<summary>\n?([^]*?)\n?<\/summary>/.exec(whole)?.[1] ?? whole;
  const text = createContinuationText(session, summary, preservedEntries.length > 0);
  const left = [
    text,
    ...thread.system,
    JSON.stringify(apiMessages([...thread.opening, ...preservedEntries])),
  ].join("");
  return { text, whole, preTokens, postTokens: Math.ceil(left.length / 4) };
}

/** Reports the end of the summary. As in Claude Code, hosts see it as a subagent without a kind. */
async function sayStopped({ session, signal }: Thread, whole: string): Promise<void> {
  const agent = { id: newAgentId(), type: "" };
  const folder = session.context.transcriptPath.replace(/\.jsonl$/, "");
  await session.hooks.run(
    "SubagentStop",
    {
      stop_hook_active: false,
      agent_transcript_path: `${folder}/subagents/agent-${agent.id}.jsonl`,
      last_assistant_message: whole,
      background_tasks: [],
      session_crons: [],
    },
    { signal, subject: "", agent },
  );
}

function createContinuationText(session: Session, summary: string, isFollowed: boolean): string {
  const followed = isFollowed
    ? "\n\nThe messages that follow came last before it and stand as they were; the summary does not know them."
    : "";
  return `This session is being continued from a previous conversation that ran out of context. What went before is summed up here.\n\nSummary:\n${summary}\n\nEvery detail from before is in the transcript: ${session.context.transcriptPath}\nGo on where it broke off, without asking again and without speaking of this summary.${followed}`;
}
