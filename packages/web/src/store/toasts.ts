import { inert } from "../text/visible.ts";
import { signal } from "./signal.ts";
import { errorMessage } from "@signalbox/protocol/text";

interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}
interface Toast {
  readonly id: number;
  /** `busy`: stays until its work is done. */
  readonly tone: "said" | "failed" | "busy";
  readonly text: string;
  /** A toast replaces an earlier one with the same topic. */
  readonly topic?: string;
  /** Actions such as undo. */
  readonly actions: readonly ToastAction[];
}

const SHOWN_MS = 6000;
/** Undo needs more time to be read and clicked. */
const UNDO_MS = 10_000;
const FAILED_MS = 12_000;
const RETRY_CLOSE_MS = 1000;
/** Shorter work shows no toast. */
const BUSY_AFTER_MS = 500;
const MAX_TOASTS = 4;

/** Short messages about what has just happened. */
export class Toasts {
  readonly list = signal<readonly Toast[]>([]);
  /** Whether a toast is hovered or focused. None closes meanwhile. */
  isPaused = false;
  #next = 1;

  show(text: string, more: Partial<Pick<Toast, "topic" | "actions">> = {}): void {
    const { actions = [], ...rest } = more;
    const toast: Toast = { id: this.#next++, tone: "said", text, actions, ...rest };
    this.#show(toast, actions.length > 0 ? UNDO_MS : SHOWN_MS);
  }

  /** Shows an error with its message. */
  showError(what: string, failure: unknown): void {
    const why = errorMessage(failure);
    const text = `${what}: ${why}`;
    this.#show({ id: this.#next++, tone: "failed", text, actions: [] }, FAILED_MS);
  }

  /** Shows a toast while some work takes long. */
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
    if (this.list.get().length === 0) this.isPaused = false; // The hovered toast has disappeared.
  }

  #show(toast: Toast, ms: number): void {
    this.#put(toast);
    this.#closeAfter(toast.id, ms);
  }

  #put(toast: Toast): void {
    const { topic } = toast;
    const others = this.list.get().filter((one) => topic === undefined || one.topic !== topic);
    // Toasts contain names and messages of others, so bidirectional controls are escaped (C13).
    this.list.set([...others, { ...toast, text: inert(toast.text) }].slice(-MAX_TOASTS));
  }

  #closeAfter(id: number, ms: number): void {
    setTimeout(() => (this.isPaused ? this.#closeAfter(id, RETRY_CLOSE_MS) : this.close(id)), ms);
  }
}
