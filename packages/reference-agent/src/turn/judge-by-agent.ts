import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { TurnUsage } from "../model/usage.ts";
import type { Session } from "../session.ts";
import { allTools } from "./all-tools.ts";
import { read } from "../tools/read.ts";
import { structuredOutput } from "../tools/structured-output.ts";
import { shape, string, type Tool } from "../tool.ts";
import { runConversation } from "./conversation.ts";
import { Thread } from "./thread.ts";
import type { HookAnswer } from "../hooks/answer.ts";
import { judgeModel, JUDGEMENT, getQuestion } from "../hooks/prompt.ts";
import type { SettingsHook } from "../hooks/settings-hooks.ts";

const TURNS = 50;
const VERDICT = shape(
  { ok: { type: "boolean", description: "Whether it may take its course" } },
  { reason: string("Why") },
);

const getOrder = (
  event: string,
  transcript: string,
): string => `You judge for a hook of the event ${event} whether something may take its course. ${JUDGEMENT}
Look with your tools at as much as the judgement needs, and no more. The conversation so far is in ${transcript}.
Hand your judgement over with the tool StructuredOutput, with the reason.`;

/**
 * Lets a separate conversation judge the event; undefined if there is no verdict. It cannot ask
 * anybody, and only its denials are reported.
 */
export async function judgeByAgent(
  session: Session,
  hook: SettingsHook,
  event: string,
  input: JsonObject,
  signal: AbortSignal,
): Promise<HookAnswer | undefined> {
  const model = judgeModel(session, hook);
  const id = `hook-agent-${crypto.randomUUID()}`;
  const thread = new Thread({
    session,
    signal,
    entries: [],
    model: () => model,
    system: [getOrder(event, session.context.transcriptPath)],
    tools: () => toolsFor(session),
    usage: new TurnUsage(),
    agent: {
      id,
      type: "hook-agent",
      depth: 1,
      toolUseId: id,
      description: `Judges for a hook of ${event}`,
      inBackground: false,
      visibility: "nothing",
      permissionMode: "dontAsk",
      judges: true,
      toolsUsed: new Set<string>(),
    },
    maxTurns: TURNS,
    say: () => "",
    record: () => {},
  });
  thread.takeUser([{ type: "text", text: getQuestion(hook, input) }]);
  const ended = await runConversation(thread, session.context.options.maxBudgetUsd).catch(
    () => undefined,
  );
  session.denials.push(...thread.denials);
  const judgeAnswer = ended?.structuredOutput?.value;
  if (!isObject(judgeAnswer) || typeof judgeAnswer["ok"] !== "boolean") return undefined;
  if (judgeAnswer["ok"]) return {};
  const reason = String(judgeAnswer["reason"]);
  return { blocked: `Agent hook condition was not met: ${reason}`, inItsWords: reason };
}

const notForJudges = new Set([
  "Agent",
  "AskUserQuestion",
  "EnterPlanMode",
  "ExitPlanMode",
  "StructuredOutput",
]);

function toolsFor(session: Session): Tool[] {
  const own = allTools(session).filter(({ name }) => !notForJudges.has(name));
  const { transcriptPath } = session.context;
  return [
    ...own.map((tool) => (tool.name === read.name ? readingToo(transcriptPath) : tool)),
    structuredOutput(VERDICT),
  ];
}

/** Allows it to read the session's transcript, which is outside of the project. */
const readingToo = (path: string): Tool => ({
  ...read,
  judge(input, call) {
    const verdict = read.judge?.(input, call) ?? { behavior: "allow" };
    const isIt = input["file_path"] === path && verdict.behavior !== "deny";
    return isIt ? { behavior: "allow" } : verdict;
  },
});
