import { signal } from "../store/signal.ts";

/** What is asked before something that cannot be taken back. */
export interface Question {
  readonly title: string;
  /** What goes, what stays. */
  readonly text: string;
  /** What the button does, in full. */
  readonly does: string;
  /** The same more exactly, as soon as it is known. */
  readonly exactly?: Promise<string>;
}
interface Asked extends Question {
  readonly answer: (sure: boolean) => void;
}

export const question = signal<Asked | undefined>(undefined);

/** Asks; true when the person wants it. Escape, a click beside it and another question mean no. */
export function confirmed(asked: Question): Promise<boolean> {
  question.get()?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const answer = (sure: boolean) => {
    if (question.get()?.answer === answer) question.set(undefined);
    resolve(sure);
  };
  question.set({ ...asked, answer });
  return promise;
}
