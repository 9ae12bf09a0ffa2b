import type { NewPrompt } from "@signalbox/api";
import type { CallOptions } from "../http/caller.ts";
import { HubError } from "../http/hub-error.ts";
import { type Backoff, backoffDelayMs } from "@signalbox/protocol/backoff";
import { ChangeNotifier, type FrameScheduler } from "../view/change-notifier.ts";
import { SerialQueue } from "./serial-queue.ts";
import type { OutboxStorage, UnsentMessage } from "./storage.ts";

interface OutboxOptions {
  readonly storage: OutboxStorage;
  readonly schedule: FrameScheduler;
  readonly send: (session: string, prompt: NewPrompt, call: CallOptions) => Promise<unknown>;
  /**
   * Withdraws a message from the hub's queue. False: the agent has it. True also for a message that
   * never arrived.
   */
  readonly withdraw: (session: string, id: string) => Promise<boolean>;
  /** The delay before a message that could not be sent is tried again automatically. */
  readonly backoff: Backoff;
}

/**
 * Messages on their way to the hub. Each is stored before it is sent and until the hub has it, and
 * they are sent one after the other in the order of typing. Every attempt uses the same id, so the
 * message runs once. The storage is the source of truth: several programs may share it, and only
 * one of them at a time sends or withdraws.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #changes: ChangeNotifier;
  readonly #exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  #messages: readonly UnsentMessage[] = [];
  readonly #loaded: Promise<void>;
  #flushing: Promise<void> | undefined;
  #again = false;
  #tries = 0;
  #last = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #sending: { readonly id: string; readonly stop: AbortController } | undefined;
  /** Withdrawn messages that may have arrived: the hub is asked as soon as possible. */
  readonly #doubts = new Map<
    string,
    { readonly session: string; readonly onArrived: () => void }
  >();
  #closed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#changes = new ChangeNotifier(options.schedule);
    const { storage } = options;
    const own = new SerialQueue();
    this.#exclusively = (work) => storage.exclusively?.(work) ?? own.do(work);
    // A storage that cannot be read now stays as it is.
    this.#loaded = this.#load().catch(() => {});
    // The next change announces it again.
    storage.onChange?.(() => void this.#follow().catch(() => {}));
  }

  /** The messages that have not arrived, in order. The array stays the same until they change. */
  get messages(): readonly UnsentMessage[] {
    return this.#messages;
  }

  subscribe(listener: () => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /**
   * Adds a message. When this resolves, the message is stored; it is sent as soon as the hub can be
   * reached.
   */
  async add(session: string, prompt: NewPrompt): Promise<UnsentMessage> {
    await this.#loaded;
    this.#last = Math.max(this.#last, this.#messages.at(-1)?.nth ?? 0) + 1;
    const id = crypto.randomUUID();
    const message = { id, session, prompt, at: Date.now(), nth: this.#last };
    await this.#keep(message);
    this.flush().catch(() => {}); // The message is stored and will be tried again.
    return message;
  }

  /**
   * Withdraws a message: true if it will not be sent, false if the agent has it already. A message
   * that is being sent is waited for, unless it can be aborted because part of it has not been
   * sent. `onArrived`: called if it turns out later that an earlier attempt had arrived and the
   * agent has it.
   */
  async takeBack(
    { id, session }: UnsentMessage,
    { stop = false, onArrived = () => {} }: { stop?: boolean; onArrived?: () => void } = {},
  ): Promise<boolean> {
    if (stop && this.#sending?.id === id) this.#sending.stop.abort();
    return this.#exclusively(async () => {
      const storedMessage = await this.#findStored(id);
      if (!storedMessage) return this.#options.withdraw(session, id);
      await this.#forget(id);
      if (storedMessage.tried) {
        this.#doubts.set(id, { session, onArrived });
        void this.#checkUnconfirmed().catch(() => {}); // The hub is asked again when the link is live.
      }
      return true;
    });
  }

  /** Discards a message. One that is being sent has arrived by then. */
  discard(id: string): Promise<void> {
    return this.#exclusively(() => this.#forget(id));
  }

  /** Sends a refused message again, after all others and as a new command. */
  async again(id: string): Promise<void> {
    await this.#loaded;
    const message = this.#messages.find((message) => message.id === id);
    if (!message) return;
    await this.#forget(id);
    await this.add(message.session, message.prompt);
  }

  /** Sends the waiting messages. Resolves when all are sent or the hub cannot be reached. */
  flush(): Promise<void> {
    this.#again = true;
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  /** Stops sending. Messages that have not arrived stay in the storage. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
  }

  async #flush(): Promise<void> {
    await this.#loaded;
    clearTimeout(this.#retry);
    await this.#checkUnconfirmed().catch(() => {});
    while (this.#again && !this.#closed) {
      this.#again = false;
      for (;;) {
        const next = this.#messages.find(({ refused }) => refused === undefined);
        if (!next) break;
        if (!(await this.#exclusively(() => this.#deliver(next.id)))) return this.#later();
        this.#tries = 0;
      }
    }
  }

  /** Tries again later, because the hub cannot be reached or cannot store, which may change. */
  #later(): void {
    if (this.#closed) return;
    const wait = backoffDelayMs(this.#tries++, this.#options.backoff);
    this.#retry = setTimeout(() => void this.flush().catch(() => {}), wait);
  }

  /** Sends one message. Returns whether to continue with the next one. */
  async #deliver(id: string): Promise<boolean> {
    const message = await this.#findStored(id);
    // Another program has sent or withdrawn it.
    if (!message || message.refused !== undefined) return true;
    const stop = new AbortController();
    this.#sending = { id, stop };
    try {
      const call = { command: id, signal: stop.signal };
      await this.#options.send(message.session, message.prompt, call);
    } catch (failure) {
      if (stop.signal.aborted) return false;
      if (HubError.is(failure) && isFinal(failure)) {
        await this.#keep({ ...message, refused: failure.detail });
        return true;
      }
      if (!message.tried) await this.#keep({ ...message, tried: true });
      return false;
    } finally {
      this.#sending = undefined;
    }
    await this.#forget(id);
    return true;
  }

  async #checkUnconfirmed(): Promise<void> {
    for (const [id, { session, onArrived }] of this.#doubts) {
      const isBack = await this.#options.withdraw(session, id);
      if (this.#doubts.delete(id) && !isBack) onArrived();
    }
  }

  /**
   * Called when another program has changed the storage. This one sends the messages that the other
   * cannot send any more because it was closed.
   */
  async #follow(): Promise<void> {
    await this.#load();
    if (this.#messages.length > 0 && !this.#closed) await this.flush();
  }

  async #keep(message: UnsentMessage): Promise<void> {
    await this.#options.storage.put(message);
    await this.#load();
  }
  async #forget(id: string): Promise<void> {
    await this.#options.storage.remove(id);
    await this.#load();
  }
  async #findStored(id: string): Promise<UnsentMessage | undefined> {
    await this.#load();
    return this.#messages.find((message) => message.id === id);
  }

  async #load(): Promise<void> {
    const storedMessages = await this.#options.storage.list();
    this.#messages = storedMessages.toSorted((a, b) => a.nth - b.nth || a.at - b.at);
    this.#changes.notify();
  }
}

/**
 * Whether sending the same message again would be refused again. A missing credential or a full
 * disk can be fixed.
 */
function isFinal({ status }: HubError): boolean {
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status);
}
