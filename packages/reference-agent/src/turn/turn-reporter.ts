import type { JsonObject } from "@signalbox/protocol/wire";
import type { Answer } from "../model/answer.ts";
import type { StreamEvent } from "../model/ask.ts";
import type { ApiBlock } from "../model/conversation.ts";
import { toolNamed } from "../tool-names.ts";
import type { Thread } from "./thread.ts";

/** Returns the prompts that are answered. Only the first answer of a turn names them. */
export function answeredPrompts(thread: Thread): JsonObject {
  const { promptUuid, promptUuids, userMessages, summaries } = thread;
  if (promptUuid === undefined || userMessages > summaries) return {};
  return { user_message_uuid: promptUuid, user_message_uuids: promptUuids };
}

/** Reports the events and blocks of one answer, with additional details for hosts. */
export class TurnReporter {
  readonly #thread: Thread;
  readonly #answer: Answer;
  readonly #streams: boolean;
  #message: JsonObject = {};
  #first = true;
  #thinkingSince = 0;
  #thinkingTokens = 0;

  constructor(thread: Thread, answer: Answer) {
    this.#thread = thread;
    this.#answer = answer;
    this.#streams = thread.session.context.options.partialMessages && !thread.agent;
  }

  before(event: StreamEvent): void {
    if (event.type === "message_start") {
      this.#message = event["message"] as JsonObject;
      this.#thread.timing.firstEventAt ??= Date.now();
    }
    if (event.type === "content_block_start") {
      this.#thinkingSince = Date.now();
      this.#thinkingTokens = 0;
      this.#thread.timing.firstTextAt ??= Date.now();
    }
    if (event.type !== "content_block_delta" || this.#thread.agent) return;
    const { thinking, signature } = event["delta"] as { thinking?: string; signature?: string };
    if (thinking !== undefined) this.#countThinking(Math.ceil(thinking.length / 4));
    // The signature contains all thinking in Base64, so its length shows the size of what was not
    // shown.
    const signed = Math.ceil(((signature?.length ?? 0) * 3) / 16);
    if (signed > this.#thinkingTokens) this.#countThinking(signed - this.#thinkingTokens);
  }

  /** Estimates the tokens of thinking as they arrive, at the usual four characters each. */
  #countThinking(delta: number): void {
    this.#thinkingTokens += delta;
    const tokens = this.#thinkingTokens;
    const { promptUuid: uuid } = this.#thread;
    this.#thread.say({
      type: "system",
      subtype: "thinking_tokens",
      estimated_tokens: tokens,
      estimated_tokens_delta: delta,
      ...(uuid === undefined ? {} : { user_message_uuid: uuid }),
    });
  }

  after(event: StreamEvent): void {
    if (!this.#streams || event.type === "ping") return;
    const isStart = event.type === "message_start";
    const { type } = (event["delta"] ?? event["content_block"] ?? {}) as { type?: string };
    const thinks = isStart || type === "thinking" || type === "thinking_delta";
    const prompts = isStart && !this.#thread.hasBegun ? answeredPrompts(this.#thread) : {};
    if (isStart) this.#thread.hasBegun = true;
    this.#thread.say({
      type: "stream_event",
      event,
      parent_tool_use_id: null,
      ...(isStart ? { ttft_ms: Date.now() - (this.#thread.timing.requestAt ?? Date.now()) } : {}),
      ...(thinks ? { thinking_display: "updates" } : {}),
      api_message_id: this.#answer.id,
      ...prompts,
      ...("user_message_uuid" in prompts ? { owed_rows: [] } : {}),
    });
  }

  #saySynthetic(event: StreamEvent, more: JsonObject = {}): void {
    const api_message_id = this.#answer.id;
    this.#thread.say({
      type: "stream_event",
      event,
      parent_tool_use_id: null,
      api_message_id,
      ...more,
    });
  }

  #sayStop(): void {
    const { id, blocks } = this.#answer;
    const abandoned_blocks = { api_message_id: id, from_block_index: blocks.length };
    this.#saySynthetic({ type: "message_stop" }, { abandoned_blocks });
  }

  /** Closes a message that is discarded because it is requested again. */
  forget(withinBlock: boolean): void {
    const { id, blocks } = this.#answer;
    if (!this.#streams || id === "") return;
    if (withinBlock) this.#saySynthetic({ type: "content_block_stop", index: blocks.length });
    this.#sayStop();
  }

  /** Sends what hosts need to close a message that will not be completed. */
  abandon(withinBlock: boolean): void {
    const { id, blocks, tokens } = this.#answer;
    if (!this.#streams || id === "") return;
    if (withinBlock) this.#saySynthetic({ type: "content_block_stop", index: blocks.length - 1 });
    const { written5m: _, written1h: __, served, ...counted } = tokens;
    const { thinking, webSearches, webFetches, ...counts } = counted;
    this.#saySynthetic({
      type: "message_delta",
      context_management: null,
      delta: { container: null, stop_details: null, stop_reason: null, stop_sequence: null },
      usage: {
        output_tokens_details: { thinking_tokens: thinking },
        ...counts,
        iterations: served.iterations,
        server_tool_use: { web_search_requests: webSearches, web_fetch_requests: webFetches },
        fallback_credit: null,
      },
    });
    this.#sayStop();
  }

  block(block: ApiBlock, more: JsonObject = {}, shown?: string): void {
    const isThinking = block.type === "thinking";
    const message = {
      ...this.#message,
      stop_reason: null,
      stop_sequence: null,
      context_management: null,
    };
    const meta = block.type === "tool_use" ? this.#mcpMeta(block) : {};
    const beside = {
      ...(this.#answer.requestId === null ? {} : { request_id: this.#answer.requestId }),
      ...(isThinking && !this.#thread.agent
        ? { thinking_duration_ms: Date.now() - this.#thinkingSince, thinking_display: "updates" }
        : {}),
      ...(this.#first ? answeredPrompts(this.#thread) : {}),
      ...meta,
      ...more,
    };
    this.#thread.sayAssistant(message, block, beside, shown);
    this.#first = false;
  }

  #mcpMeta(block: ApiBlock): JsonObject {
    const tool = toolNamed(this.#thread.tools(), block["name"]);
    if (!tool) return nameForPeople(block);
    if (!tool.origin) return {};
    const { server, tool: tool_name } = tool.origin;
    const { title, name = server } = this.#thread.session.mcp.get(server)?.info ?? {};
    return {
      tool_use_meta: [
        {
          id: block["id"],
          display_name: tool.displayName ?? tool_name,
          server_display_name: title ?? name,
          tool_name,
        },
      ],
    };
  }
}

/** Makes the name of an unknown tool readable, if necessary. */
function nameForPeople({ id, name }: ApiBlock): JsonObject {
  const whole = String(name);
  const last = whole.split("__").at(-1) || whole;
  const display_name = last.replaceAll("_", " ").replace(/\b\w/g, (sign) => sign.toUpperCase());
  return display_name === whole ? {} : { tool_use_meta: [{ id, display_name }] };
}
