import type { Answer } from "../model/answer.ts";
import { spokenName } from "../model/models.ts";
import type { ConversationEnd } from "./conversation-end.ts";
import { syntheticAnswer } from "./synthetic.ts";
import type { Thread } from "./thread.ts";

/** Tells the model once that a classifier stopped its answer. It may continue. */
export function sayRefusal(thread: Thread, messageId: string): void {
  const name = spokenName(thread.model());
  thread.say({
    type: "system",
    subtype: "informational",
    content: `${name}'s safeguards stopped the response above · continuing once with that noted`,
    level: "notice",
  });
  const text =
    "Your response above was stopped by a safety classifier; that is no failure of a tool or of the line. What was withheld must not be produced again in other words.";
  thread.sayUser([{ type: "text", text }], { isSynthetic: true, refused_message_id: messageId });
}

/**
 * Ends the turn after a second stop. Claude Code lets an older model answer if the category allows
 * it; here the turn ends, as it does there for other categories.
 */
export function refusedEnd(
  thread: Thread,
  { id, requestId, stopDetails }: Answer,
): ConversationEnd {
  const model = thread.model();
  const name = spokenName(model);
  const { promptUuid, promptUuids: user_message_uuids } = thread;
  thread.say({
    type: "system",
    subtype: "model_refusal_no_fallback",
    original_model: model,
    request_id: requestId,
    api_refusal_category: stopDetails?.["category"] ?? null,
    api_refusal_explanation: stopDetails?.["explanation"] ?? null,
    refused_user_message_uuid: promptUuid ?? thread.session.promptId,
    content: "",
  });
  const text = [
    `API Error: ${name}'s safeguards flagged this message (https://www.anthropic.com/legal/aup). This sometimes happens with safe, normal conversations. Claude Code can't respond to this message with ${name}.`,
    "Try rephrasing the request in a new session or change your model.",
    "Learn more: https://support.claude.com/en/articles/8106465",
    ...(requestId === null ? [] : [`Request ID: ${requestId}`]),
    `Message ID: ${id}`,
  ].join("\n\n");
  const uuid = thread.say(
    syntheticAnswer(
      text,
      { reason: "refusal", sequence: "" },
      {
        ...(requestId === null ? {} : { request_id: requestId }),
        ...(hasSpoken(thread) ? {} : { user_message_uuid: promptUuid, user_message_uuids }),
        error: "invalid_request",
        is_api_error_message: true,
        refused_message_id: id,
      },
    ),
  );
  thread.entries.push({ role: "assistant", content: [], messageId: uuid, uuid });
  return { reason: "api_error", text, stopReason: "refusal" };
}

/**
 * Whether the turn has answered before. Only its first answer names the prompt, and only if the
 * prompt had a name.
 */
function hasSpoken({ entries, promptUuid }: Thread): boolean {
  const at = entries.findLastIndex(({ uuid }) => uuid === promptUuid);
  return promptUuid === undefined || entries.slice(at + 1).some(({ role }) => role === "assistant");
}
