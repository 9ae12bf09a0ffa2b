import type { ApiError, ScriptedUsage } from "../script/types.ts";
import type { WireDelta } from "./deltas.ts";

type WireUsage = {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
};

export type WireBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

export type WireMessage = {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: WireBlock[];
  stop_reason: string | null;
  stop_sequence: null;
  usage: WireUsage;
};

/** The events of a streamed message, spelled as on the wire. */
export type StreamEvent =
  | { type: "message_start"; message: WireMessage }
  | { type: "content_block_start"; index: number; content_block: WireBlock }
  | { type: "content_block_delta"; index: number; delta: WireDelta }
  | { type: "content_block_stop"; index: number }
  | {
      type: "message_delta";
      delta: { stop_reason: string; stop_sequence: null };
      usage: WireUsage;
    }
  | { type: "message_stop" }
  | { type: "error"; error: { type: string; message: string } };

export function wireUsage(usage: ScriptedUsage): WireUsage {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheCreation,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: usage.output,
  };
}

export function wireError({ type, message }: ApiError): Extract<StreamEvent, { type: "error" }> {
  return { type: "error", error: { type, message } };
}
