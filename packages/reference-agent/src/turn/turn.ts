import {
  hasHostUuid,
  type OutgoingMessage,
  type Prompt,
  type Turn,
  type TurnResult,
} from "@signalbox/agent";
import { applyOverrides, NO_OVERRIDES, clearOverrides } from "../commands/command-overrides.ts";
import { readSlash, type SlashCommand } from "../commands/commands.ts";
import { CommandFailure } from "../tools/embedded-commands.ts";
import { notACommand } from "../commands/not-a-command.ts";
import { type HookOutcome, getNotices, getRemarks } from "../hooks/outcome.ts";
import { findCalledPrompt, toShownPrompt } from "../mcp/prompts.ts";
import { getOpening } from "../memory/tell.ts";
import { getBlocks } from "../model/conversation.ts";
import { TurnUsage } from "../model/usage.ts";
import type { HookRun } from "../hooks/hooks.ts";
import { tellMet } from "../hooks/instructions.ts";
import type { Session } from "../session.ts";
import { mainTools } from "./all-tools.ts";
import { INTERRUPTED } from "./conversation-end.ts";
import { runConversation } from "./conversation.ts";
import { makeDeferred } from "./deferred.ts";
import { expansionHooks, sayStopped, sayUnexpanded } from "./expansion-hooks.ts";
import { isResumePrompt } from "./resume-prompt.ts";
import { localEnd, runLocalCommand, sayLocalFailure, sayNotForPeople } from "./local-commands.ts";
import { mentionedFiles } from "./mentions.ts";
import { getPreface, systemPrompt } from "./system-prompt.ts";
import { type CalledCommand, callCommand, addPrompt } from "./add-prompt.ts";
import { createErrorFields, getEnd, omitUndefined } from "./turn-end.ts";
import { Thread } from "./thread.ts";

/** Runs one turn of the main agent, from the prompts to the fields of its result. */
export async function runTurn(session: Session, turn: Turn): Promise<TurnResult> {
  const began = Date.now();
  session.denials.length = 0;
  const text = promptText(turn.prompt);
  const written = readSlash(text);
  const ofServer = findCalledPrompt(session.mcp.prompts, written);
  const slash =
    ofServer?.slash ?? (session.context.options.disableSlashCommands ? undefined : written);
  const command = slash && session.commands.find(({ name }) => name === slash.name);
  session.commandOverrides = NO_OVERRIDES;
  if (command) applyOverrides(session, command, "begins the turn");
  try {
    return await begin(turn, session, { text, slash, command, began });
  } finally {
    clearOverrides(session);
    session.commandOverrides = NO_OVERRIDES;
  }
}

async function begin(
  turn: Turn,
  session: Session,
  { command, ...asked }: Asked & { command: SlashCommand | undefined },
): Promise<TurnResult> {
  const { text, slash } = asked;
  const stop = new AbortController();
  // What it reads belongs to no prompt yet.
  const thread = await mainThread(session, turn, stop.signal);
  if (session.deferred && turn.prompts.some(isResumePrompt)) {
    const { deferred } = session;
    session.deferred = undefined;
    const ended = await makeDeferred(thread, deferred, () => stop.abort());
    if (ended) return getEnd(session, turn, thread, ended, asked);
  }
  session.promptId = crypto.randomUUID();
  if (command && !command.forPeople) {
    await turn.sayInit();
    return localEnd(session, sayNotForPeople(turn, command.name));
  }
  if (slash && !command) {
    const local = await runLocalCommand(turn, thread, slash);
    session.tokensInWindow = thread.tokensInWindow;
    session.ranLocally ||= local !== undefined;
    if (local) return localEnd(session, local);
  }
  if (typeof turn.prompt.content === "string" && text.trim() === "") {
    return blankEnd(session, turn);
  }
  return askModel(thread, turn, asked);
}

async function askModel(thread: Thread, turn: Turn, asked: Asked): Promise<TurnResult> {
  const { session } = thread;
  const { text, slash, began } = asked;
  const isOwn = turn.prompts.every((one) => one.line["isMeta"] === true && !isResumePrompt(one));
  const remarks: OutgoingMessage[] = [];
  const about = {
    signal: turn.signal,
    say: (remark: OutgoingMessage) => void remarks.push(remark),
  };
  const sayInit = async () => {
    await turn.sayInit();
    for (const remark of remarks) turn.say(remark);
  };
  const hooked = isOwn ? undefined : await promptHooks(session, text, about);
  if (hooked) remarks.push(...getNotices("UserPromptSubmit", hooked));
  const refused = hooked && (await endUnaccepted({ thread, turn, text, hooked, sayInit }));
  if (refused) return refused;
  const expansion = slash && (await expandCommand(thread, turn, { text, slash, about, sayInit }));
  if (expansion && "ended" in expansion) return expansion.ended;
  const called = expansion?.called;
  addPrompt(session, turn, called);
  const files = isOwn ? [] : await mentionedFiles(called?.text ?? text, thread, turn.signal);
  tellMet(session, thread.memoryLoaded.splice(0), undefined);
  const unknown = slash && !called && !isOwn ? [notACommand(session, slash.name)] : [];
  for (const context of [
    ...unknown,
    ...files,
    ...session.startContexts.splice(0),
    ...(hooked ? getRemarks("UserPromptSubmit", hooked) : []),
    ...(expansion?.hooked ? getRemarks("UserPromptExpansion", expansion.hooked) : []),
  ])
    thread.addModelNote(context);
  await sayInit();
  const { origin, shouldQuery } = turn.prompt.line;
  if (shouldQuery === false) {
    return localEnd(session, { result: "", ...omitUndefined({ origin }) });
  }
  const ended = await runConversation(thread, session.context.options.maxBudgetUsd);
  session.tokensInWindow = thread.tokensInWindow;
  return getEnd(session, turn, thread, ended, { began });
}

/** Ends a turn whose prompt the hooks did not accept, or could not judge before it was interrupted. */
async function endUnaccepted({
  thread,
  turn,
  text,
  hooked,
  sayInit,
}: {
  thread: Thread;
  turn: Turn;
  text: string;
  hooked: HookOutcome;
  sayInit: () => Promise<void>;
}): Promise<TurnResult | undefined> {
  const { session } = thread;
  if (hooked.title !== undefined) {
    turn.say({ type: "system", subtype: "session_title_changed", title: hooked.title });
  }
  if (turn.signal.aborted && session.hooks.has("UserPromptSubmit") && !thread.makesWay) {
    await sayInit();
    return uncheckedEnd(thread);
  }
  if (hooked.blocked === undefined && hooked.stop === undefined) return undefined;
  await sayInit();
  return hookedEnd(session, turn, { hooked, text });
}

/** What a command of the prompt becomes; `called` is undefined if there is no such command. */
type Expansion =
  | { readonly hooked: HookOutcome | undefined; readonly called: CalledCommand | undefined }
  | { readonly ended: TurnResult };

/** Runs the hooks of a command, then the command. Either may end the turn. */
async function expandCommand(
  { session }: Thread,
  turn: Turn,
  {
    text,
    slash,
    about,
    sayInit,
  }: {
    text: string;
    slash: NonNullable<Asked["slash"]>;
    about: HookRun;
    sayInit: () => Promise<void>;
  },
): Promise<Expansion> {
  const ofServer = findCalledPrompt(session.mcp.prompts, slash);
  const local_command = ofServer ? "mcp" : "custom";
  const hooked = await expansionHooks(session, slash, text, about);
  if (hooked?.blocked !== undefined || hooked?.stop !== undefined) {
    await sayInit();
    const result = sayUnexpanded(turn, hooked, text);
    return { ended: localEnd(session, { local_command, result }) };
  }
  try {
    return { hooked, called: await callCommand(session, slash, turn.signal) };
  } catch (cause) {
    if (!(cause instanceof CommandFailure)) throw cause;
    await turn.sayInit();
    const name = ofServer ? toShownPrompt(ofServer.prompt).name : slash.name;
    const failed = sayLocalFailure(turn, { ...slash, name }, cause.message);
    return { ended: localEnd(session, { local_command, ...failed }) };
  }
}

interface Asked {
  readonly text: string;
  readonly slash: { name: string; args: string } | undefined;
  readonly began: number;
}

async function mainThread(session: Session, turn: Turn, stop: AbortSignal): Promise<Thread> {
  const preface = await getPreface(session);
  session.preface = preface;
  return new Thread({
    session,
    signal: AbortSignal.any([turn.signal, stop]),
    interruption: AbortSignal.any([turn.interruption, stop]),
    entries: session.conversation,
    model: () => session.modelName,
    system: systemPrompt(preface),
    opening: getOpening(preface.memory),
    tools: () => mainTools(session),
    usage: new TurnUsage(),
    promptUuids: turn.prompts.filter(hasHostUuid).map(({ uuid }) => uuid),
    promptUuid: hasHostUuid(turn.prompt) ? turn.prompt.uuid : undefined,
    maxTurns: session.context.options.maxTurns,
    tokensInWindow: session.tokensInWindow,
    say: (message, storedMessage) => turn.say(message, storedMessage),
    record: (message) => turn.record(message),
    steering: () => turn.steering(),
  });
}

async function promptHooks(session: Session, prompt: string, about: HookRun): Promise<HookOutcome> {
  const outcome = await session.hooks.run("UserPromptSubmit", { prompt }, about);
  const { noVerdict } = outcome;
  if (noVerdict?.kind === "odd") throw new Error(noVerdict.why);
  if (noVerdict?.kind !== "late" || outcome.blocked !== undefined) return outcome;
  return {
    ...outcome,
    blocked: `UserPromptSubmit hook callback timed out after ${noVerdict.ms}ms`,
  };
}

function promptText({ content }: Prompt): string {
  return getBlocks(content)
    .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
    .join("\n");
}

async function blankEnd(session: Session, turn: Turn): Promise<TurnResult> {
  const result =
    "Blank prompt — the message was only whitespace, so nothing was sent to the model.";
  await turn.sayInit();
  turn.say({ type: "system", subtype: "informational", content: result, level: "warning" });
  return localEnd(session, { result });
}

/**
 * Ends a turn that was interrupted during hooks. What they might have objected to does not reach
 * the model.
 */
function uncheckedEnd(thread: Thread): TurnResult {
  thread.sayUser([{ type: "text", text: INTERRUPTED }]);
  const error = "prompt_check: the turn was stopped before its prompt was checked";
  const end = createErrorFields("error_during_execution", error, "aborted_streaming");
  return localEnd(thread.session, end);
}

/**
 * Ends a turn whose prompt was blocked by a hook. A hook that stops the turn leaves the prompt in
 * the conversation.
 */
function hookedEnd(
  session: Session,
  turn: Turn,
  { hooked, text: prompt }: { hooked: HookOutcome; text: string },
): TurnResult {
  const { blocked = "", inItsWords: reason = blocked, stop, noVerdict } = hooked;
  if (stop !== undefined) addPrompt(session, turn, undefined);
  const ending = noVerdict ? "" : `\n\nOriginal prompt: ${prompt}`;
  const text =
    stop === undefined
      ? `UserPromptSubmit operation blocked by hook:\n${blocked}${ending}`
      : `Operation stopped by hook: ${stop}`;
  const no_verdict_kind = noVerdict?.kind === "late" ? "callback_timed_out" : "hook_failed";
  const outcome = noVerdict
    ? { kind: "no_verdict", prompt_kept: false, no_verdict_kind }
    : { kind: "blocked_by_hook", prompt_kept: false, reason };
  sayStopped(turn, text, {
    prompt_submit_outcome:
      stop === undefined ? outcome : { kind: "stopped_by_hook", prompt_kept: true, reason: stop },
  });
  return localEnd(session, { result: text });
}
