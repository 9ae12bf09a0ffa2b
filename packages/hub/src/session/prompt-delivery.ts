import { HubRefusal } from "../refusal.ts";
import type { RunnerLink } from "../link/runner-link.ts";
import type { Fence, PromptRow, Store } from "../store/store.ts";
import { loadImages } from "./images.ts";
import { composeText } from "./prompt-context.ts";
import type { SessionPromptQueue } from "./prompt-queue.ts";

interface PromptDeliveryCallbacks {
  notifyChanged(): void;
  log(text: string): void;
  getFence(): Fence | undefined;
}

/** Sends a session's messages to its live run. */
export class PromptDelivery {
  readonly #store: Store;
  readonly #session: string;
  readonly #prompts: SessionPromptQueue;
  readonly #callbacks: PromptDeliveryCallbacks;

  constructor(
    store: Store,
    session: string,
    prompts: SessionPromptQueue,
    callbacks: PromptDeliveryCallbacks,
  ) {
    this.#store = store;
    this.#session = session;
    this.#prompts = prompts;
    this.#callbacks = callbacks;
  }

  /**
   * Sends the messages that are due. Each is marked as sent in the store first: it may arrive twice, and then
   * counts once.
   */
  sendDue(link: RunnerLink, run: string, idle: boolean): void {
    for (const prompt of this.#prompts.listDue(run, idle)) {
      const sent = { ...prompt, sentTo: run };
      this.#prompts.lock(prompt.id, "sending");
      void this.#store
        .commit([{ kind: "prompt", row: sent }], this.#callbacks.getFence())
        .then(() => {
          this.#prompts.put(sent);
          return this.#deliver(sent, link);
        })
        .catch(() => {}) // the store cannot be written; the message keeps waiting
        .finally(() => this.#prompts.unlock(prompt.id));
    }
  }

  /** Sends all messages again that the run was given, because its runner has reconnected. */
  resend(link: RunnerLink, run: string): void {
    for (const prompt of this.#prompts.sentTo(run)) void this.#deliver(prompt, link);
  }

  async #deliver(prompt: PromptRow, link: RunnerLink): Promise<void> {
    const { id, sentTo } = prompt;
    if (sentTo === null) return;
    this.#prompts.unlock(id);
    this.#callbacks.notifyChanged();
    try {
      const images = await loadImages(this.#store, prompt);
      const text = composeText(prompt);
      const facts = { session: this.#session, run: sentTo, uuid: id, text, images };
      await link.sendOrder(`${id}.${sentTo}`, { kind: "prompt", ...facts });
    } catch (why) {
      if (why instanceof HubRefusal && why.code === "runner-away") return; // it is sent again when the runner reconnects
      const waits = this.#prompts.get(id);
      if (waits?.sentTo === sentTo) await this.#requeue(waits, why);
    }
  }

  async #requeue(prompt: PromptRow, why: unknown): Promise<void> {
    const row = { ...prompt, sentTo: null };
    const fence = this.#callbacks.getFence();
    await this.#store.commit([{ kind: "prompt", row }], fence).catch(() => {}); // a run that has ended has no messages
    this.#prompts.put(row);
    this.#callbacks.log(`session ${this.#session}: a message was not taken: ${String(why)}`);
    this.#callbacks.notifyChanged();
  }
}
