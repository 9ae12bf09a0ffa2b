import { type BlockRef, blockRef, type Lane, MAIN } from "../event.ts";
import type { Draft } from "./draft.ts";
import { number } from "./fields.ts";
import { rememberId } from "./recent-messages.ts";
import type { NormalizeState, OpenBlock, OpenMessage } from "./state.ts";

/**
 * More lanes than any agent has open at once. Beyond it the oldest is dropped, because its end was
 * never reported.
 */
const MAX_LANES = 64;

/** The message that is being written in a lane. */
export function findOpenMessage(state: NormalizeState, lane: Lane): OpenMessage | undefined {
  for (const message of state.messages) if (message.lane === lane) return message;
  return undefined;
}

export function findOrCreateMessage(state: NormalizeState, lane: Lane): OpenMessage {
  return findOpenMessage(state, lane) ?? newMessage(lane, placeholderId(lane));
}

/** A placeholder for a message whose beginning was not seen. */
export function placeholderId(lane: Lane): string {
  return `open-${lane}`;
}

export function newMessage(lane: Lane, messageId: string, repeated = false): OpenMessage {
  return { lane, messageId, repeated, blocks: [], usage: null, ended: false, attempt: [] };
}

/** The message has ended: the next one with the same id is a new one. */
export function endMessage({ state }: Draft, lane: Lane): void {
  const open = findOpenMessage(state, lane);
  if (!open || open.ended) return;
  state.messages = state.messages.with(state.messages.indexOf(open), { ...open, ended: true });
}

/** Opens a message in its lane. The message before it has ended and is remembered. */
export function openMessage(draft: Draft, message: OpenMessage): void {
  const { state } = draft;
  const before = findOpenMessage(state, message.lane);
  if (before && before.messageId !== message.messageId) {
    rememberId(draft, before.messageId);
    if (before.lane !== MAIN) emitInterrupted(draft, before);
  }
  const others = state.messages.filter((other) => other !== before);
  const [oldest] = others;
  if (oldest && others.length === MAX_LANES) {
    others.shift();
    emitInterrupted(draft, oldest);
  }
  others.push(message);
  state.messages = others;
}

export function setBlock(
  { state }: Draft,
  message: OpenMessage,
  index: number,
  block: OpenBlock,
): void {
  const blocks = message.blocks.slice();
  for (let i = blocks.length; i < index; i++) {
    const { block: id } = blockRef(message.lane, message.messageId, i);
    blocks.push({ kind: "other", settled: true, id });
  }
  blocks[index] = block;
  const { lane, messageId, repeated, usage, ended, attempt } = message;
  const next = { lane, messageId, repeated, blocks, usage, ended, attempt };
  const at = state.messages.indexOf(message);
  if (at === -1) state.messages = [...state.messages, next];
  else state.messages = state.messages.with(at, next);
}

/** A lane that has ended leaves no open message. */
export function closeLane(draft: Draft, lane: Lane): void {
  const { state } = draft;
  const open = findOpenMessage(state, lane);
  if (!open) return;
  state.messages = state.messages.filter((message) => message !== open);
  if (lane !== MAIN) emitInterrupted(draft, open);
}

/**
 * Reports the blocks that a subagent did not finish. For the main thread the end of the turn does
 * so.
 */
function emitInterrupted(draft: Draft, { lane, messageId, blocks }: OpenMessage): void {
  for (const [index, { settled, id: block }] of blocks.entries()) {
    if (!settled) draft.emit({ type: "block-cut", lane, messageId, index, block });
  }
}

export function createBlockRef(state: NormalizeState, lane: Lane, value: unknown): BlockRef {
  const { messageId, blocks } = findOrCreateMessage(state, lane);
  const index = Math.max(0, Math.trunc(number(value) ?? 0));
  const block = blocks[index]?.id;
  return block === undefined ? blockRef(lane, messageId, index) : { lane, messageId, index, block };
}
