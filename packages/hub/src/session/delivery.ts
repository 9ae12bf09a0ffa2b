import { Refusal } from "../engine.ts";
import type { RunnerLink } from "../link/runner-link.ts";
import type { PromptRow, Store } from "../log/store.ts";
import { imagesOf } from "./images.ts";
import type { PromptQueue } from "./prompt-queue.ts";

/** Brings a session's messages to the run that lives. */
export class Delivery {
  readonly #store: Store;
  readonly #session: string;
  readonly #prompts: PromptQueue;
  readonly #tell: { changed(): void; log(text: string): void };

  constructor(
    store: Store,
    session: string,
    prompts: PromptQueue,
    tell: { changed(): void; log(text: string): void },
  ) {
    this.#store = store;
    this.#session = session;
    this.#prompts = prompts;
    this.#tell = tell;
  }

  /** Sends what is due. That it is sent is stored first: it may arrive twice, and counts once. */
  pump(link: RunnerLink, run: string, idle: boolean): void {
    for (const prompt of this.#prompts.due(run, idle)) {
      const sent = { ...prompt, sentTo: run };
      this.#prompts.hold(prompt.id, "sending");
      void this.#store
        .commit([{ kind: "prompt", row: sent }])
        .then(() => {
          this.#prompts.put(sent);
          return this.#deliver(sent, link);
        })
        .catch(() => {}) // the store is in trouble: it still waits
        .finally(() => this.#prompts.letGo(prompt.id));
    }
  }

  /** The runner is there again: what it was given is given again. */
  again(link: RunnerLink, run: string): void {
    for (const prompt of this.#prompts.sentTo(run)) void this.#deliver(prompt, link);
  }

  async #deliver(prompt: PromptRow, link: RunnerLink): Promise<void> {
    const { id, text, sentTo } = prompt;
    if (sentTo === null) return;
    this.#prompts.letGo(id);
    this.#tell.changed();
    try {
      const images = await imagesOf(this.#store, prompt);
      const facts = { session: this.#session, run: sentTo, uuid: id, text, images };
      await link.order(`${id}.${sentTo}`, { kind: "prompt", ...facts });
    } catch (why) {
      if (why instanceof Refusal && why.code === "runner-away") return; // it is sent again
      const waits = this.#prompts.get(id);
      if (waits?.sentTo === sentTo) await this.#undelivered(waits, why);
    }
  }

  async #undelivered(prompt: PromptRow, why: unknown): Promise<void> {
    const row = { ...prompt, sentTo: null };
    await this.#store.commit([{ kind: "prompt", row }]).catch(() => {}); // a run that is over has none
    this.#prompts.put(row);
    this.#tell.log(`session ${this.#session}: a message was not taken: ${String(why)}`);
    this.#tell.changed();
  }
}
