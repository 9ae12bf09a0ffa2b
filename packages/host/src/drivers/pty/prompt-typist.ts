import type { ScreenFacts } from "./read-screen.ts";
import { systemTimers, type Timers } from "./timers.ts";

/** The program draws what was typed before the key that sends it is pressed. */
const PAUSE_MS = 400;
const DRAWN_MS = 5000;
/** How often it is looked whether the field for messages is free, or has sent what it held. */
const LOOK_MS = 100;
/** After this time the key is pressed again if the message is still in the field. */
const AGAIN_MS = 1500;
const MAX_PRESSES = 4;
/** After this time a person is told that a message waits for the field. */
const TELL_AFTER_MS = 5000;

interface PromptTypistOptions {
  readonly readScreen: () => ScreenFacts;
  /** Whether the program waits for an answer that is not on its screen yet. */
  readonly hasRequest: () => boolean;
  readonly wantsMarkedPastes: () => boolean;
  readonly write: (text: string) => void;
  readonly onWaiting: (why: "dialog" | "draft") => void;
  readonly signal: AbortSignal;
  readonly timers?: Timers;
}

/**
 * Types messages into the field of the terminal UI, one after the other. Nothing is typed while a
 * dialog is open, because a key would answer it, nor into what a person has begun to write.
 */
export class PromptTypist {
  readonly #options: PromptTypistOptions;
  readonly #timers: Timers;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PromptTypistOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
  }

  /** Settles when the message was typed and sent. Rejects if the program ends before. */
  type(text: string, onTyped: () => void): Promise<void> {
    const typed = this.#last.then(() => this.#type(text, onTyped));
    this.#last = typed.catch(() => {});
    return typed;
  }

  async #type(text: string, onTyped: () => void): Promise<void> {
    const { write, wantsMarkedPastes } = this.#options;
    await this.#waitForField(true);
    onTyped();
    write(wantsMarkedPastes() ? `\u001b[200~${text}\u001b[201~` : text.replaceAll("\n", "\\\r"));
    await this.#waitUntilDrawn();
    for (let press = 0; press < MAX_PRESSES; press += 1) {
      await this.#pause(PAUSE_MS);
      await this.#waitForField(false);
      write("\r");
      if (await this.#isSent()) return;
    }
    this.#options.onWaiting("draft"); // a person has to look why it is not sent
  }

  /** A program that is busy draws later what was typed. */
  async #waitUntilDrawn(): Promise<void> {
    for (let waited = 0; waited < DRAWN_MS; waited += LOOK_MS) {
      const { hasInput, draft } = this.#options.readScreen();
      if (!hasInput || draft !== "") return;
      await this.#pause(LOOK_MS);
    }
  }

  /** Whether the field was emptied, which shows that the message was sent. */
  async #isSent(): Promise<boolean> {
    for (let waited = 0; waited < AGAIN_MS; waited += LOOK_MS) {
      await this.#pause(LOOK_MS);
      const { hasInput, draft } = this.#options.readScreen();
      if (!hasInput || draft === "") return true;
    }
    return false;
  }

  async #waitForField(isEmpty: boolean): Promise<void> {
    const { readScreen, hasRequest, onWaiting } = this.#options;
    for (let waited = 0; ; waited += LOOK_MS) {
      const { hasInput, isAsking, draft } = readScreen();
      const isFree = hasInput && !hasRequest() && (!isEmpty || draft === "");
      if (isFree) return;
      if (waited === TELL_AFTER_MS && (isAsking || hasInput)) {
        onWaiting(isAsking || hasRequest() ? "dialog" : "draft");
      }
      await this.#pause(LOOK_MS);
    }
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#options;
    return new Promise((resolve, reject) => {
      const cancel = this.#timers.after(ms, () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      });
      const onAbort = () => {
        cancel();
        reject(new Error("The program has ended."));
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}
