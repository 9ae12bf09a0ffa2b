import type { WireDelta } from "./deltas.ts";
import type { StreamEvent, WireBlock, WireMessage } from "./events.ts";

/** Puts the events of a stream together into the one object that `stream: false` asks for. */
export class MessageCollector {
  #message: WireMessage | undefined;
  #pieces: string[] = [];

  get message(): WireMessage | undefined {
    return this.#message;
  }

  add(event: StreamEvent): void {
    switch (event.type) {
      case "message_start":
        this.#message = event.message;
        break;
      case "content_block_start":
        this.#message?.content.push(event.content_block);
        this.#pieces = [];
        break;
      case "content_block_delta":
        this.#take(event.delta);
        break;
      case "content_block_stop":
        this.#finish(this.#message?.content.at(-1));
        break;
      case "message_delta":
        if (this.#message) Object.assign(this.#message, event.delta, { usage: event.usage });
        break;
      case "message_stop":
      case "error":
        break;
      default:
        event satisfies never;
    }
  }

  #take(delta: WireDelta): void {
    const block = this.#message?.content.at(-1);
    if (delta.type === "text_delta") this.#pieces.push(delta.text);
    else if (delta.type === "thinking_delta") this.#pieces.push(delta.thinking);
    else if (delta.type === "input_json_delta") this.#pieces.push(delta.partial_json);
    else if (block?.type === "thinking") block.signature = delta.signature;
  }

  #finish(block: WireBlock | undefined): void {
    const text = this.#pieces.join("");
    if (block?.type === "tool_use") block.input = JSON.parse(text || "{}");
    if (block?.type === "thinking") block.thinking = text;
    if (block?.type === "text") block.text = text;
  }
}
