import type { StoredMessage } from "@signalbox/agent";
import { attachedBlocks } from "./attachments.ts";

export type ApiBlock = { type: string; [field: string]: unknown };
export type ApiMessage = { role: "user" | "assistant"; content: string | readonly ApiBlock[] };

/** One message of the stored conversation. Each block of an answer is an entry of its own. */
export interface Entry {
  readonly role: "user" | "assistant";
  /** Empty if the model failed instead of answering. */
  readonly content: readonly ApiBlock[];
  /** The id of the answer: blocks with the same id belong together. */
  readonly messageId?: string;
  readonly uuid?: string;
}

export function getBlocks(content: string | readonly ApiBlock[]): readonly ApiBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/**
 * Converts entries to the API's format: neighbors of one role are merged, each call has a result,
 * and results come first.
 */
export function apiMessages(entries: readonly Entry[]): ApiMessage[] {
  const joined: { role: Entry["role"]; content: ApiBlock[] }[] = [];
  for (const { role, content } of sortByAnswer(withoutLoneThoughts(entries))) {
    if (content.length === 0 && role === "assistant") continue;
    const last = joined.at(-1);
    if (last?.role === role) last.content.push(...content);
    else joined.push({ role, content: [...content] });
  }
  return joined
    .map((message, index) => addMissingResults(message, joined[index - 1], joined[index + 1]))
    .filter(({ content }) => content.length > 0);
}

/** Removes answers that contain only thinking. */
function withoutLoneThoughts(entries: readonly Entry[]): Entry[] {
  const isThought = ({ type }: ApiBlock) => type === "thinking" || type === "redacted_thinking";
  const answers = entries.filter(({ role }) => role === "assistant");
  const spoken = new Set(
    answers.flatMap(({ content, messageId }) => (content.every(isThought) ? [] : messageId)),
  );
  return entries.filter(
    ({ role, content, messageId }) =>
      role === "user" || spoken.has(messageId) || !content.every(isThought),
  );
}

/**
 * Sorts entries so that an answer is in one piece, because the result of a tool may come before the
 * answer's next block.
 */
function sortByAnswer(entries: readonly Entry[]): Entry[] {
  const ordered: Entry[] = [];
  for (const entry of entries) {
    const { messageId } = entry;
    const at =
      messageId === undefined
        ? -1
        : ordered.findLastIndex((earlier) => earlier.messageId === messageId);
    if (at < 0) ordered.push(entry);
    else ordered.splice(at + 1, 0, entry);
  }
  return ordered;
}

/**
 * Makes calls match the messages before and after, and removes empty texts: otherwise the API would
 * refuse the whole conversation.
 */
function addMissingResults(
  message: { role: Entry["role"]; content: ApiBlock[] },
  before: { content: ApiBlock[] } | undefined,
  next: { content: ApiBlock[] } | undefined,
): ApiMessage {
  if (message.role === "user") {
    const calls = new Set(before?.content.map(({ id }) => id));
    const results = message.content.filter(
      (block) => block.type === "tool_result" && calls.has(block["tool_use_id"]),
    );
    const others = message.content.filter(
      (block) => block.type !== "tool_result" && !isBlank(block),
    );
    const content = [...results, ...others];
    return { role: "user", content: content.length > 0 ? content : [NOTHING] };
  }
  // A call may have been interrupted before its result.
  const results = new Set(next?.content.map((block) => block["tool_use_id"]));
  const content = message.content.filter(({ type, id }) => type !== "tool_use" || results.has(id));
  return { role: "assistant", content };
}

const NOTHING: ApiBlock = { type: "text", text: "(no content)" };

function isBlank({ type, text }: ApiBlock): boolean {
  return type === "text" && typeof text === "string" && text.trim() === "";
}

/** Returns the entries of a transcript after its last compaction. */
export function getEntries(stored: readonly StoredMessage[]): Entry[] {
  const boundary = stored.findLastIndex(
    (line) => line.type === "system" && line["subtype"] === "compact_boundary",
  );
  return stored.slice(boundary + 1).flatMap((line): Entry[] => {
    const { type, message, uuid } = line;
    if (type === "attachment" && line["isSidechain"] !== true) {
      const content = attachedBlocks(line["attachment"]);
      return content.length === 0 ? [] : [{ role: "user", content }];
    }
    if ((type !== "user" && type !== "assistant") || !message) return [];
    if (line["isSidechain"] === true) return [];
    const isFailure = line["isApiErrorMessage"] === true || line["is_api_error_message"] === true;
    const id = message["id"];
    return [
      {
        role: type,
        content: isFailure ? [] : getBlocks(message.content),
        ...(type === "assistant" && typeof id === "string" ? { messageId: id } : {}),
        ...(uuid === undefined ? {} : { uuid }),
      },
    ];
  });
}

/** Returns the window size after the last answer of a transcript, if the API reported it. */
export function tokensAfter(stored: readonly StoredMessage[]): number {
  for (const { type, subtype, message, isSidechain } of stored.toReversed()) {
    if (type === "system" && subtype === "compact_boundary") return 0;
    const usage = message?.["usage"] as Record<string, unknown> | undefined;
    const isOurs = message?.["model"] === "<synthetic>"; // This message was not written by a model.
    if (type !== "assistant" || isSidechain === true || !usage || isOurs) continue;
    const counts = ["input", "cache_read_input", "cache_creation_input", "output"];
    return counts.reduce((sum, name) => sum + (Number(usage[`${name}_tokens`]) || 0), 0);
  }
  return 0;
}
