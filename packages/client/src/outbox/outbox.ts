import type { NewPrompt } from "@signalbox/protocol";
import type { CallOptions } from "../http/caller.ts";
import { HubError } from "../http/hub-error.ts";
import { type BackOff, delayMs } from "../live/back-off.ts";
import { Announcer, type Schedule } from "../view/announcer.ts";
import type { OutboxStorage, Unsent } from "./storage.ts";

export interface OutboxOptions {
  readonly storage: OutboxStorage;
  readonly schedule: Schedule;
  readonly send: (session: string, prompt: NewPrompt, call: CallOptions) => Promise<unknown>;
  /** Before what could not be sent is tried again by itself. */
  readonly backOff: BackOff;
}

/**
 * Messages on their way to the hub. Each is kept before it is sent and until the hub has it; they go out
 * one after the other as they were typed. The same id goes with every try, so it runs once.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #announcer: Announcer;
  #messages: readonly Unsent[] = [];
  readonly #loaded: Promise<void>;
  #flushing: Promise<void> | undefined;
  #again = false;
  #tries = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#announcer = new Announcer(options.schedule);
    this.#loaded = this.#load().catch(() => {}); // what cannot be read now stays where it is
  }

  /** What has not arrived, in order; the same array until that changes. */
  get messages(): readonly Unsent[] {
    return this.#messages;
  }

  subscribe(listener: () => void): () => void {
    return this.#announcer.subscribe(listener);
  }

  /** Kept when this resolves; sent as soon as the hub can be reached. */
  async add(session: string, prompt: NewPrompt): Promise<Unsent> {
    await this.#loaded;
    const nth = (this.#messages.at(-1)?.nth ?? 0) + 1;
    const message = { id: crypto.randomUUID(), session, prompt, at: Date.now(), nth };
    this.#set([...this.#messages, message]);
    await this.#options.storage.put(message);
    this.flush().catch(() => {}); // kept it is; it will be tried again
    return message;
  }

  /** Throws a message away. One that is being sent may have arrived. */
  async discard(id: string): Promise<void> {
    await this.#loaded;
    this.#set(this.#messages.filter((message) => message.id !== id));
    await this.#options.storage.remove(id);
  }

  /** Tries one that was refused once more, after all others, as another command. */
  async again(id: string): Promise<void> {
    await this.#loaded;
    const message = this.#messages.find((message) => message.id === id);
    if (!message) return;
    await this.discard(id);
    await this.add(message.session, message.prompt);
  }

  /** Sends what waits. Resolves when all is sent or the hub cannot be reached. */
  flush(): Promise<void> {
    this.#again = true;
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  /** No more is tried. What has not arrived stays in its storage. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
  }

  async #flush(): Promise<void> {
    await this.#loaded;
    clearTimeout(this.#retry);
    while (this.#again && !this.#closed) {
      this.#again = false;
      for (;;) {
        const next = this.#messages.find(({ refused }) => refused === undefined);
        if (!next) break;
        if (!(await this.#deliver(next))) return this.#later();
        this.#tries = 0;
      }
    }
  }

  /** The hub is away, or cannot store: it may soon. */
  #later(): void {
    if (this.#closed) return;
    const wait = delayMs(this.#tries++, this.#options.backOff, Math.random());
    this.#retry = setTimeout(() => void this.flush().catch(() => {}), wait);
  }

  /** Gives whether to go on with the next. */
  async #deliver({ id, session, prompt }: Unsent): Promise<boolean> {
    try {
      await this.#options.send(session, prompt, { command: id });
    } catch (failure) {
      if (!HubError.is(failure) || !isFinal(failure)) return false;
      const refused = failure.detail;
      this.#set(this.#messages.map((it) => (it.id === id ? { ...it, refused } : it)));
      const kept = this.#messages.find((it) => it.id === id);
      if (kept) await this.#options.storage.put(kept);
      return true;
    }
    await this.discard(id);
    return true;
  }

  async #load(): Promise<void> {
    const kept = await this.#options.storage.list();
    this.#set(kept.toSorted((a, b) => a.nth - b.nth || a.at - b.at));
  }

  #set(messages: readonly Unsent[]): void {
    this.#messages = messages;
    this.#announcer.announce();
  }
}

/** The same words would be refused again. A missing credential or a full disk can be mended. */
function isFinal({ status }: HubError): boolean {
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status);
}
