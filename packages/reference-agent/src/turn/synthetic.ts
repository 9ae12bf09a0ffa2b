import type { JsonObject } from "@signalbox/protocol/wire";
import type { OutgoingMessage } from "@signalbox/agent";

/** The `usage` of a message that no model wrote. */
const usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens_details: null,
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: null,
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  inference_geo: null,
  iterations: null,
  speed: null,
  fallback_credit: null,
};

/** Creates an answer that no model wrote. Hosts show it where an answer would be. */
export function syntheticAnswer(
  text: string,
  stop: { reason: string; sequence: string | null },
  more: JsonObject,
): OutgoingMessage {
  return {
    type: "assistant",
    message: {
      id: crypto.randomUUID(),
      type: "message",
      role: "assistant",
      model: "<synthetic>",
      container: null,
      diagnostics: null,
      content: [{ type: "text", text }],
      stop_details: null,
      stop_reason: stop.reason,
      stop_sequence: stop.sequence,
      usage,
      context_management: null,
    },
    parent_tool_use_id: null,
    timestamp: new Date().toISOString(),
    ...more,
  };
}
