import type { Streams } from "./ask-line.ts";
import { getColumns, wrap } from "./wrap.ts";
import { askYesOrNo } from "./yes-or-no.ts";

/** Asks the person at the terminal, before an agent starts. */
export interface StartDialog {
  /** Writes text in lines that fit the terminal. */
  write(text: string): void;
  /** Asks a question that Enter answers with no. Resolves to undefined if the person leaves. */
  confirm(question: string): Promise<boolean | undefined>;
}

export function openStartDialog(streams: Streams): StartDialog {
  const { output } = streams;
  return {
    write: (text) => void output.write(`${wrap(text, getColumns(output))}\n`),
    confirm: (question) => askYesOrNo(question, streams),
  };
}
