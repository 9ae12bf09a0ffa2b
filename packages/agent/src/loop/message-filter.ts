import type { OutgoingMessage } from "../agent.ts";
import type { AgentOptions } from "../command-line/options.ts";

/** Whether the host asked for messages of this kind. */
export function isRequestedByHost(message: OutgoingMessage, options: AgentOptions): boolean {
  switch (message.type) {
    case "stream_event":
      return options.partialMessages;
    case "auth_status":
      return options.authStatus;
    case "system":
      return message["status"] !== "requesting" || options.partialMessages;
    default:
      return true;
  }
}

/** Whether a message is part of the conversation, and so of the transcript. */
export function isTranscriptMessage(message: OutgoingMessage): boolean {
  if (typeof message["agent_id"] === "string") return false; // A subagent has a transcript of its own.
  if (message.type === "assistant") return true;
  if (message.type === "user") return message["isReplay"] !== true;
  return message.type === "system" && message["subtype"] === "compact_boundary";
}
