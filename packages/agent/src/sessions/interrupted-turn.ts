import type { ContentBlock, StoredMessage } from "../agent.ts";
import { findDeferredCall } from "./deferred-call.ts";
import { answerId } from "./parallel-calls.ts";

const CUT_OFF =
  "[The conversation goes on from here, without the result of this call. Whether the call took effect is not known: look before you rely on it or repeat it.]";
const UNKNOWN =
  "[The session ended before the result of this call was written down. Whether the call took effect is not known: look before you rely on it or repeat it.]";

/**
 * Finds the messages that are missing from a conversation that ended in the middle of a turn:
 * results of its last calls, which may have taken effect, and an answer, so that the next prompt is
 * not read as part of the last one. Nothing is missing while a deferred call waits.
 */
export function findInterruptedTurn(conversation: readonly StoredMessage[]): StoredMessage[] {
  if (findDeferredCall(conversation)) return [];
  const mainMessages = getMain(conversation);
  const results = listCallsWithoutResult(mainMessages).map((call) => getResult(call, UNKNOWN));
  const last = results.at(-1) ?? mainMessages.at(-1);
  return last?.type === "user" && !isOfCommand(last) ? [...results, createMissingAnswer()] : [];
}

/**
 * Finds the messages that are missing if a conversation continues after one of its messages: the
 * results of its calls.
 */
export function cutOff(conversation: readonly StoredMessage[]): StoredMessage[] {
  return listCallsWithoutResult(getMain(conversation)).map((call) => getResult(call, CUT_OFF));
}

function getMain(conversation: readonly StoredMessage[]): StoredMessage[] {
  return conversation.filter(
    ({ type, isSidechain }) => (type === "user" || type === "assistant") && isSidechain !== true,
  );
}

/** Finds the calls of the last answer, if nothing but results came after it. */
function listCallsWithoutResult(mainMessages: readonly StoredMessage[]): unknown[] {
  const answer = mainMessages.findLast(({ type }) => type === "assistant");
  const id = answer && answerId(answer);
  if (id === undefined) return [];
  const ofAnswer = mainMessages.filter((message) => answerId(message) === id);
  const begin = mainMessages.findIndex((message) => answerId(message) === id);
  const after = mainMessages.slice(begin).filter(({ type }) => type === "user");
  if (!after.every((message) => getBlocks(message).some(({ type }) => type === "tool_result")))
    return [];
  const answered = new Set(after.flatMap(getBlocks).map((block) => block["tool_use_id"]));
  const calls = ofAnswer.flatMap(getBlocks).filter(({ type }) => type === "tool_use");
  return calls.map((call) => call["id"]).filter((call) => !answered.has(call));
}

function getBlocks({ message }: StoredMessage): readonly ContentBlock[] {
  return Array.isArray(message?.content) ? message.content : [];
}

/**
 * Whether a message is of a command that ran without the model. Nobody waits for an answer to it.
 */
function isOfCommand({ message }: StoredMessage): boolean {
  const text = message?.content;
  return typeof text === "string" && /^<(?:local-)?command-/.test(text);
}

function getResult(id: unknown, content: string): StoredMessage {
  const block = { type: "tool_result", content, is_error: true, tool_use_id: id };
  return {
    type: "user",
    uuid: crypto.randomUUID(),
    message: { role: "user", content: [block] },
    toolUseResult: content,
  };
}

function createMissingAnswer(): StoredMessage {
  return {
    type: "assistant",
    uuid: crypto.randomUUID(),
    message: {
      id: crypto.randomUUID(),
      type: "message",
      role: "assistant",
      model: "<synthetic>",
      content: [{ type: "text", text: "No response requested." }],
      stop_reason: "stop_sequence",
      stop_sequence: "",
      usage: { input_tokens: 0, output_tokens: 0 },
    },
  };
}
