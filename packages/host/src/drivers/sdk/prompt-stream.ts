import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";

/** What the SDK reads prompts from for as long as the run lives (its streaming input). */
export class PromptStream implements AsyncIterable<SDKUserMessage> {
  #waiting: SDKUserMessage[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  push(prompt: SDKUserMessage): void {
    this.#waiting.push(prompt);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage, void, undefined> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
