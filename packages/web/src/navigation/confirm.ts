import { signal } from "../store/signal.ts";

/** What is asked before something that cannot be taken back. */
export interface ConfirmOptions {
  readonly title: string;
  /** What goes, what stays. */
  readonly text: string;
  /** What the button does, in full. */
  readonly confirmLabel: string;
  /** The same more exactly, as soon as it is known. */
  readonly exactLabel?: Promise<string>;
}
interface PendingConfirmation extends ConfirmOptions {
  readonly answer: (sure: boolean) => void;
}

export const pendingConfirmation = signal<PendingConfirmation | undefined>(undefined);

/** Asks; true when the person wants it. Escape, a click beside it and another question mean no. */
export function requestConfirmation(asked: ConfirmOptions): Promise<boolean> {
  pendingConfirmation.get()?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const answer = (sure: boolean) => {
    if (pendingConfirmation.get()?.answer === answer) pendingConfirmation.set(undefined);
    resolve(sure);
  };
  pendingConfirmation.set({ ...asked, answer });
  return promise;
}
