import type { StreamEvent } from "./ask.ts";
import type { ApiBlock } from "./conversation.ts";
import { failureInStream, ModelFailure } from "./failure.ts";
import { mergeTokens, type Tokens } from "./usage.ts";

export interface Answer {
  id: string;
  model: string;
  blocks: ApiBlock[];
  stopReason: string | null;
  stopDetails?: Record<string, unknown> | null | undefined;
  requestId: string | null;
  tokens: Tokens;
  /** The `usage` at the beginning of the message, which the host sees beside each block. */
  firstUsage: unknown;
  /** The stream ended normally. */
  complete: boolean;
}

/** Assembles an answer from the events of its stream. */
export class AnswerReader {
  readonly answer: Answer = {
    id: "",
    model: "",
    blocks: [],
    stopReason: null,
    requestId: null,
    tokens: mergeTokens(undefined, undefined),
    firstUsage: undefined,
    complete: false,
  };
  #open: { block: ApiBlock; texts: string[] } | undefined;

  /** Returns the block that this event completes, if it does. */
  take(event: StreamEvent): ApiBlock | undefined {
    switch (event.type) {
      case "message_start":
        this.#onStart(event["message"] as Record<string, unknown>);
        return undefined;
      case "content_block_start":
        this.#open = { block: { ...(event["content_block"] as ApiBlock) }, texts: [] };
        return undefined;
      case "content_block_delta":
        this.#onDelta(event["delta"] as Record<string, unknown>);
        return undefined;
      case "content_block_stop":
        return this.#close();
      case "message_delta":
        this.#onMessageDelta(event);
        return undefined;
      case "message_stop":
        this.answer.complete = true;
        return undefined;
      case "error":
        throw failureInStream(event);
      default:
        return undefined;
    }
  }

  /** Returns what was received of an incomplete block. Only text is worth keeping. */
  rest(): ApiBlock | undefined {
    const open = this.#open;
    if (open?.block.type !== "text") return undefined;
    this.#open = undefined;
    const block = { ...open.block, text: open.texts.join("") };
    if (block.text === "") return undefined;
    this.answer.blocks.push(block);
    return block;
  }

  /** Whether a block has begun and not ended. */
  get isInBlock(): boolean {
    return this.#open !== undefined;
  }

  #onStart(message: Record<string, unknown>): void {
    this.answer.id = String(message["id"]);
    this.answer.model = String(message["model"]);
    this.answer.firstUsage = message["usage"];
    this.answer.tokens = mergeTokens(undefined, message["usage"]);
  }

  #onDelta(delta: Record<string, unknown>): void {
    const open = this.#open;
    if (!open) return;
    switch (delta["type"]) {
      case "text_delta":
        open.texts.push(delta["text"] as string);
        break;
      case "thinking_delta":
        open.texts.push(delta["thinking"] as string);
        break;
      case "input_json_delta":
        open.texts.push(delta["partial_json"] as string);
        break;
      case "signature_delta":
        open.block["signature"] = delta["signature"];
        break;
      case "citations_delta":
        open.block["citations"] = [
          ...((open.block["citations"] as unknown[] | null) ?? []),
          delta["citation"],
        ];
        break;
      default:
    }
  }

  #onMessageDelta(event: StreamEvent): void {
    const { stop_reason: reason, stop_details: details } = (event["delta"] ?? {}) as {
      stop_reason?: string | null;
      stop_details?: Record<string, unknown> | null;
    };
    if (reason !== undefined) this.answer.stopReason = reason;
    this.answer.stopDetails = details;
    this.answer.tokens = mergeTokens(this.answer.tokens, event["usage"]);
  }

  #close(): ApiBlock | undefined {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return undefined;
    const { block, texts } = open;
    const whole = texts.join("");
    if (block.type === "text") block["text"] = whole;
    if (block.type === "thinking") block["thinking"] = whole;
    if (block.type === "tool_use" || block.type === "server_tool_use") {
      block["input"] = whole === "" ? (block["input"] ?? {}) : parseInput(whole);
    }
    this.answer.blocks.push(block);
    return block;
  }
}

function parseInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new ModelFailure({ apiText: "the model's tool call is not JSON", cause });
  }
}
