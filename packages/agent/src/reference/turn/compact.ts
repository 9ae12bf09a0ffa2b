import { askAside, textOf } from "../model/aside.ts";
import { apiMessages, type Entry } from "../model/conversation.ts";
import { factsOf } from "../model/models.ts";
import type { Session } from "../session.ts";
import { newAgentId } from "../tools/background.ts";
import type { Thread } from "./thread.ts";

/** Kept free for the answer and for the summary itself. */
const RESERVE = 33_000;

export function compactionThreshold(model: string): number {
  return factsOf(model).contextWindow - RESERVE;
}

export function isNearlyFull(thread: Thread): boolean {
  const { environment } = thread.session.birth;
  if (environment["DISABLE_AUTO_COMPACT"] || environment["DISABLE_COMPACT"]) return false;
  return thread.tokensInWindow >= compactionThreshold(thread.model());
}

const ORDER = `Your task is to create a detailed summary of the conversation so far, from which the work can go on without it. Answer with text alone and call no tool.
Put it between <summary> and </summary>, and say: what the user asked for, word for word where it matters; what was done and decided and why; the files and passages that matter; what went wrong and how it was mended; what is still to be done, and the very next step.`;

export interface Compacted {
  readonly summary: string;
  readonly preTokens: number;
  readonly postTokens: number;
}

/** Sums the conversation up and puts the summary in its place. Says what happens on the way. */
export async function compact(
  thread: Thread,
  trigger: "manual" | "auto",
  options: { wish?: string; beforeBoundary?: () => Promise<void> } = {},
): Promise<{ ran: readonly string[] } | undefined> {
  const { session } = thread;
  const began = Date.now();
  const start = trigger === "auto" ? { compact_output_chars: 0 } : {};
  thread.say({ type: "system", subtype: "status", status: "compacting", ...start });
  const pre = await session.hooks.run(
    "PreCompact",
    { trigger, custom_instructions: options.wish || null },
    { subject: trigger, signal: thread.signal },
  );
  const wish = [options.wish ?? "", ...pre.contexts].filter(Boolean).join("\n");
  const unanswered = trigger === "auto" ? lastPrompts(thread.entries) : [];
  const past = thread.entries.slice(0, thread.entries.length - unanswered.length);
  const compacted = pre.blocked === undefined ? await summarize(thread, past, wish) : undefined;
  if (!compacted) {
    thread.say({ type: "system", subtype: "status", status: null, compact_result: "failed" });
    return undefined;
  }
  thread.say({ type: "system", subtype: "status", status: null, compact_result: "success" });
  await options.beforeBoundary?.();
  const last = thread.entries.findLast(({ uuid }) => uuid !== undefined)?.uuid;
  const { preTokens, postTokens, summary } = compacted;
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
    },
    ...(last === undefined ? {} : { logical_parent_uuid: last }),
  });
  thread.entries.length = 0;
  const text = continued(session, summary);
  if (trigger === "auto") {
    thread.summaries++;
    thread.sayUser([{ type: "text", text }], { isSynthetic: true });
  } else sayManually(thread, text);
  for (const { content } of unanswered) thread.keep(content);
  thread.tokensInWindow = postTokens;
  return { ran: pre.ran };
}

/** What was asked last and not answered yet goes on word for word. */
function lastPrompts(entries: readonly Entry[]): Entry[] {
  const isPrompt = ({ role, content }: Entry) =>
    role === "user" && content.every(({ type }) => type !== "tool_result");
  const at = entries.findLastIndex((entry) => !isPrompt(entry));
  return entries.slice(at + 1);
}

const dropped = new WeakMap<Session, number>();

function sayManually(thread: Thread, text: string): void {
  const message = { role: "user", content: text };
  const uuid = thread.say({
    type: "user",
    message,
    parent_tool_use_id: null,
    timestamp: new Date().toISOString(),
    isReplay: false,
    isSynthetic: true,
  });
  thread.entries.push({ role: "user", content: [{ type: "text", text }], uuid });
}

async function summarize(
  thread: Thread,
  past: readonly Entry[],
  wish: string,
): Promise<Compacted | undefined> {
  const { session } = thread;
  const preTokens = thread.tokensInWindow;
  const order = wish === "" ? ORDER : `${ORDER}\n\nThe user adds: ${wish}`;
  const asked: Entry[] = [...past, { role: "user", content: [{ type: "text", text: order }] }];
  const answer = await askAside(session, {
    model: thread.model(),
    system: thread.system.join("\n\n"),
    messages: apiMessages(asked),
    tools: thread
      .tools()
      .map(({ name, description, input }) => ({ name, description, input_schema: input })),
    signal: thread.signal,
  }).catch(() => undefined);
  const whole = answer ? textOf(answer.blocks) : "";
  if (whole === "") return undefined;
  await sayStopped(thread, whole);
  const summary = /<summary>\n?([^]*?)\n?<\/summary>/.exec(whole)?.[1] ?? whole;
  const postTokens = Math.ceil(
    (continued(session, summary).length + thread.system.join("").length) / 4,
  );
  return { summary, preTokens, postTokens };
}

/** Hosts see the one who sums up as a subagent of no kind, as in Claude Code. */
async function sayStopped({ session, signal }: Thread, whole: string): Promise<void> {
  const agent = { id: newAgentId(), type: "" };
  const folder = session.birth.transcriptPath.replace(/\.jsonl$/, "");
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

function continued(session: Session, summary: string): string {
  return `This session is being continued from a previous conversation that ran out of context. What went before is summed up here.\n\nSummary:\n${summary}\n\nEvery detail from before is in the transcript: ${session.birth.transcriptPath}\nGo on where it broke off, without asking again and without speaking of this summary.`;
}
