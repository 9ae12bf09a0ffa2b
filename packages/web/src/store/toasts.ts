import { inert } from "../text/visible.ts";
import { signal } from "./signal.ts";
import { errorMessage } from "../text/error-message.ts";

interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}
interface Toast {
  readonly id: number;
  /** `busy`: it stays until what it tells of is done. */
  readonly tone: "said" | "failed" | "busy";
  readonly text: string;
  /** What it is about: what is said next about the same takes its place. */
  readonly topic?: string;
  /** What can still be done about it, such as taking it back. */
  readonly actions: readonly ToastAction[];
}

const SHOWN_MS = 6000;
/** Who wants to take something back has to read, think and reach for it. */
const UNDO_MS = 10_000;
const FAILED_MS = 12_000;
const RETRY_CLOSE_MS = 1000;
/** What is over sooner needs no words. */
const BUSY_AFTER_MS = 500;
const MAX_TOASTS = 4;

/** Short messages about what was just done. */
export class Toasts {
  readonly list = signal<readonly Toast[]>([]);
  /** Somebody points at one or has the focus in it: none goes away under the hand. */
  isPaused = false;
  #next = 1;

  show(text: string, more: Partial<Pick<Toast, "topic" | "actions">> = {}): void {
    const { actions = [], ...rest } = more;
    const toast: Toast = { id: this.#next++, tone: "said", text, actions, ...rest };
    this.#show(toast, actions.length > 0 ? UNDO_MS : SHOWN_MS);
  }

  /** What went wrong, in the hub's own sentence where there is one. */
  showError(what: string, failure: unknown): void {
    const why = errorMessage(failure);
    const text = `${what}: ${why}`;
    this.#show({ id: this.#next++, tone: "failed", text, actions: [] }, FAILED_MS);
  }

  /** Tells of work that takes its time for as long as it takes. */
  async showWhile<T>(text: string, work: Promise<T>): Promise<T> {
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
    if (this.list.get().length === 0) this.isPaused = false; // what was pointed at is gone
  }

  #show(toast: Toast, ms: number): void {
    this.#put(toast);
    this.#closeAfter(toast.id, ms);
  }

  #put(toast: Toast): void {
    const { topic } = toast;
    const others = this.list.get().filter((one) => topic === undefined || one.topic !== topic);
    // Names and messages of others stand in it: what reorders does nothing here (C13).
    this.list.set([...others, { ...toast, text: inert(toast.text) }].slice(-MAX_TOASTS));
  }

  #closeAfter(id: number, ms: number): void {
    setTimeout(() => (this.isPaused ? this.#closeAfter(id, RETRY_CLOSE_MS) : this.close(id)), ms);
  }
}
