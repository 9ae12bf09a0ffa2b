import { inert } from "../text/visible.ts";
import { signal } from "./signal.ts";

export interface ToastAction {
  readonly words: string;
  readonly run: () => void;
}
export interface Toast {
  readonly id: number;
  /** `busy`: it stays until what it tells of is done. */
  readonly tone: "said" | "failed" | "busy";
  readonly text: string;
  /** What it is about: what is said next about the same takes its place. */
  readonly about?: string;
  /** What can still be done about it, such as taking it back. */
  readonly actions: readonly ToastAction[];
}

const SHOWN_MS = 6000;
/** Who wants to take something back has to read, think and reach for it. */
const UNDO_MS = 10_000;
const FAILED_MS = 12_000;
const AGAIN_MS = 1000;
/** What is over sooner needs no words. */
const BUSY_AFTER_MS = 500;
const MOST = 4;

/** Short messages about what was just done. */
export class Toasts {
  readonly list = signal<readonly Toast[]>([]);
  /** Somebody points at one or has the focus in it: none goes away under the hand. */
  held = false;
  #next = 1;

  say(text: string, more: Partial<Pick<Toast, "about" | "actions">> = {}): void {
    const { actions = [], ...rest } = more;
    const toast: Toast = { id: this.#next++, tone: "said", text, actions, ...rest };
    this.#show(toast, actions.length > 0 ? UNDO_MS : SHOWN_MS);
  }

  /** What went wrong, in the hub's own sentence where there is one. */
  fail(what: string, failure: unknown): void {
    const why = failure instanceof Error ? failure.message : String(failure);
    const text = `${what}: ${why}`;
    this.#show({ id: this.#next++, tone: "failed", text, actions: [] }, FAILED_MS);
  }

  /** Tells of work that takes its time for as long as it takes. */
  async during<T>(text: string, work: Promise<T>): Promise<T> {
    const id = this.#next++;
    const show = () => this.#put({ id, tone: "busy", text, actions: [] });
    const timer = setTimeout(show, BUSY_AFTER_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      this.close(id);
    }
  }

  close(id: number): void {
    this.list.set(this.list.get().filter((toast) => toast.id !== id));
    if (this.list.get().length === 0) this.held = false; // what was pointed at is gone
  }

  #show(toast: Toast, ms: number): void {
    this.#put(toast);
    this.#closeAfter(toast.id, ms);
  }

  #put(toast: Toast): void {
    const { about } = toast;
    const others = this.list.get().filter((one) => about === undefined || one.about !== about);
    // Names and messages of others stand in it: what reorders does nothing here (C13).
    this.list.set([...others, { ...toast, text: inert(toast.text) }].slice(-MOST));
  }

  #closeAfter(id: number, ms: number): void {
    setTimeout(() => (this.held ? this.#closeAfter(id, AGAIN_MS) : this.close(id)), ms);
  }
}
