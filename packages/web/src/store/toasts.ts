import { signal } from "./signal.ts";

export interface Toast {
  readonly id: number;
  readonly tone: "said" | "failed";
  readonly text: string;
  /** What can still be done about it, such as taking it back. */
  readonly action?: { readonly words: string; run(): void };
}

const SHOWN_MS = 6000;
const FAILED_MS = 12_000;
const MOST = 4;

/** Short messages about what was just done. */
export class Toasts {
  readonly list = signal<readonly Toast[]>([]);
  #next = 1;

  say(text: string, action?: Toast["action"]): void {
    this.#show({ id: this.#next++, tone: "said", text, ...(action && { action }) }, SHOWN_MS);
  }

  /** What went wrong, in the hub's own sentence where there is one. */
  fail(what: string, failure: unknown): void {
    const why = failure instanceof Error ? failure.message : String(failure);
    this.#show({ id: this.#next++, tone: "failed", text: `${what}: ${why}` }, FAILED_MS);
  }

  close(id: number): void {
    this.list.set(this.list.get().filter((toast) => toast.id !== id));
  }

  #show(toast: Toast, ms: number): void {
    this.list.set([...this.list.get(), toast].slice(-MOST));
    setTimeout(() => this.close(toast.id), ms);
  }
}
