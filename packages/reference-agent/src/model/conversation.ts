import type { StoredMessage } from "@signalbox/agent";
import { attachedBlocks } from "./attachments.ts";

export type ApiBlock = { type: string; [field: string]: unknown };
export type ApiMessage = { role: "user" | "assistant"; content: string | readonly ApiBlock[] };

/** One message of the conversation as it is kept: blocks of one answer are entries of their own. */
export interface Entry {
  readonly role: "user" | "assistant";
  /** Nothing: the model's failure stood in place of an answer. */
  readonly content: readonly ApiBlock[];
  /** The answer's id: blocks with the same belong together. */
  readonly messageId?: string;
  readonly uuid?: string;
}

export function getBlocks(content: string | readonly ApiBlock[]): readonly ApiBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** What the API wants to see: neighbours of one role joined, each call answered, results first. */
export function apiMessages(entries: readonly Entry[]): ApiMessage[] {
  const joined: { role: Entry["role"]; content: ApiBlock[] }[] = [];
  for (const { role, content } of inAnswerOrder(withoutLoneThoughts(entries))) {
    if (content.length === 0 && role === "assistant") continue;
    const last = joined.at(-1);
    if (last?.role === role) last.content.push(...content);
    else joined.push({ role, content: [...content] });
  }
  return joined
    .map((message, index) => answered(message, joined[index - 1], joined[index + 1]))
    .filter(({ content }) => content.length > 0);
}

/** An answer that went no further than its thoughts is none. */
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

/** A tool's result may be there before the answer's next block: the answer is put together again. */
function inAnswerOrder(entries: readonly Entry[]): Entry[] {
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

/** What a message says of calls has to fit those before and after it, and no text may be empty: the
 * whole conversation would be unusable. */
function answered(
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
  // A call may have been cut off before its result.
  const results = new Set(next?.content.map((block) => block["tool_use_id"]));
  const content = message.content.filter(({ type, id }) => type !== "tool_use" || results.has(id));
  return { role: "assistant", content };
}

const NOTHING: ApiBlock = { type: "text", text: "(no content)" };

function isBlank({ type, text }: ApiBlock): boolean {
  return type === "text" && typeof text === "string" && text.trim() === "";
}

/** The entries of a transcript, after its last compaction. */
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

/** What the window held after the last answer of a transcript, as far as the API told. */
export function tokensAfter(stored: readonly StoredMessage[]): number {
  for (const { type, subtype, message, isSidechain } of stored.toReversed()) {
    if (type === "system" && subtype === "compact_boundary") return 0;
    const usage = message?.["usage"] as Record<string, unknown> | undefined;
    const isOurs = message?.["model"] === "<synthetic>"; // no model said it
    if (type !== "assistant" || isSidechain === true || !usage || isOurs) continue;
    const counts = ["input", "cache_read_input", "cache_creation_input", "output"];
    return counts.reduce((sum, name) => sum + (Number(usage[`${name}_tokens`]) || 0), 0);
  }
  return 0;
}
