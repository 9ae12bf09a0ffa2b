import type { Message } from "@signalbox/protocol";
import type { ContentPart } from "../event.ts";
import type { Draft } from "./draft.ts";
import { appendBounded } from "./recent-messages.ts";
import type { WaitingPrompt } from "./state.ts";

/** Prompts that were sent and not printed back yet. */

const MAX_WAITING = 100;
/** How many prompts of ended runs are still expected. */
export const MAX_LOST = 8;

/**
 * A prompt without a uuid is recognized by its text; for a long text the beginning and the length
 * are enough.
 */
export function promptKey(content: string | readonly ContentPart[]): string {
  const all = typeof content === "string" ? content : JSON.stringify(content);
  return `${all.length} ${all.slice(0, 200)}`;
}

export function isCommand(content: string | readonly ContentPart[]): boolean {
  return typeof content === "string" && content.startsWith("/");
}

export function onPromptSent(draft: Draft, line: Message<"user">, uuid: string): void {
  const { state } = draft;
  const { content } = line.message;
  const prompt: WaitingPrompt = {
    uuid,
    turn: state.turn,
    queued: false,
    words: line.uuid === undefined ? promptKey(content) : null,
    command: isCommand(content),
    lost: false,
  };
  const [oldest] = state.waiting;
  if (state.waiting.length === MAX_WAITING && oldest) onPromptArrived(draft, oldest);
  state.waiting = appendBounded(state.waiting, prompt, MAX_WAITING);
  state.promptWaits = true;
  state.reported = false;
  state.over = null; // An agent is running that can be sent a prompt.
}

/** A prompt whose run ended before it arrived is sent again. */
export function onPromptResent(draft: Draft, uuid: string): boolean {
  const { state } = draft;
  if (!state.waiting.some((prompt) => prompt.uuid === uuid && prompt.lost)) return false;
  state.waiting = state.waiting.map((prompt) =>
    prompt.uuid === uuid ? { ...prompt, turn: state.turn, lost: false } : prompt,
  );
  state.promptWaits = true;
  state.reported = false;
  state.over = null;
  draft.emit({ type: "control-passed", from: "host", what: "prompt sent again", requestId: uuid });
  return true;
}

/**
 * Finds the prompt that the agent prints back. 2.1.7 prints a command back under an id of its own.
 */
export function findEchoedPrompt(
  draft: Draft,
  line: Message<"user">,
  command: boolean,
): WaitingPrompt | undefined {
  const { waiting } = draft.state;
  if (waiting.length === 0) return undefined;
  // In the terminal UI the program gives a prompt that was typed for us a uuid of its own.
  const sent = line["typed_prompt"] ?? line.uuid;
  const same = waiting.find(({ uuid, words }) => words === null && uuid === sent);
  if (same || line.isReplay !== true) return same;
  const short = promptKey(line.message.content);
  return waiting.find((prompt) => prompt.words === short || (command && prompt.command));
}

/** The prompt has reached the agent and no longer waits. */
export function onPromptArrived(draft: Draft, prompt: WaitingPrompt): void {
  const { state } = draft;
  state.waiting = state.waiting.filter((other) => other !== prompt);
  draft.emit({ type: "user-replayed", uuid: prompt.uuid });
}

/** The agent reports the state of a prompt. A queued prompt is not the cause of the next turn. */
export function onLifecycle(draft: Draft, uuid: string, stage: string): void {
  const { state } = draft;
  if (state.waiting.some((prompt) => prompt.uuid === uuid)) {
    const queued = stage === "queued";
    state.waiting = state.waiting.map((prompt) =>
      prompt.uuid === uuid ? { ...prompt, queued } : prompt,
    );
    if (stage === "started") {
      state.promptWaits = true;
      state.reported = false;
    }
  }
  draft.emit({ type: "command-moved", uuid, state: stage });
}

/** Whether a turn that begins now was asked for. */
export function isAsked({ state }: Draft): boolean {
  if (state.reported && !state.echoes) return false;
  const here = state.waiting.filter((prompt) => !prompt.lost);
  if (here.length === 0) return state.promptWaits;
  return here.some((prompt) => !prompt.queued);
}

/**
 * A prompt that was sent before a turn was its cause, unless the agent prints back the prompts it
 * takes, or reports another cause. Then the prompt still waits for its own turn.
 */
export function settlePrompts(draft: Draft, origin: string | undefined): void {
  const { state } = draft;
  const isTaskNotification = origin === "task-notification";
  for (const prompt of state.waiting) {
    const before =
      prompt.turn < state.turn && !prompt.lost && !prompt.queued && !isTaskNotification;
    if (before && (prompt.command || !state.echoes)) onPromptArrived(draft, prompt);
  }
  const waits = state.waiting.some((prompt) => !prompt.lost);
  state.promptWaits = waits && (state.echoes || isTaskNotification);
}

/** The run has ended: prompts that had not arrived are kept. */
export function markPromptsLost({ state }: Draft): void {
  if (state.waiting.length > 0) {
    const lost: WaitingPrompt[] = [];
    for (const prompt of state.waiting.slice(-MAX_LOST)) {
      lost.push({ ...prompt, queued: false, lost: true });
    }
    state.waiting = lost;
  }
  state.promptWaits = false;
}
