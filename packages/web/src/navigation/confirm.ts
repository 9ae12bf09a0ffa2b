import { signal } from "../store/signal.ts";

/** The content of a confirmation dialog. */
export interface ConfirmOptions {
  readonly title: string;
  /** What will be lost and what will be kept. */
  readonly text: string;
  /** The label of the confirming button. */
  readonly confirmLabel: string;
  /** A more exact label, once it is known. */
  readonly exactLabel?: Promise<string>;
}
interface PendingConfirmation extends ConfirmOptions {
  readonly answer: (sure: boolean) => void;
}

export const pendingConfirmation = signal<PendingConfirmation | undefined>(undefined);

/**
 * Opens a confirmation dialog. Resolves to true if the person confirms; Escape, a click outside and another
 * confirmation cancel it.
 */
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
