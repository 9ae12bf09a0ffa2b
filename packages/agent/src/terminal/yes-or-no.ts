import { askLine, type Streams } from "./ask-line.ts";

/** Asks a question that Enter answers with no. Resolves to undefined if the person leaves. */
export function askYesOrNo(question: string, streams: Streams): Promise<boolean | undefined> {
  return askLine(`${question} [y/N] `, streams, (said) => {
    if (/^y(?:es)?$/i.test(said)) return { meant: true };
    return /^(?:no?)?$/i.test(said) ? { meant: false } : undefined;
  });
}
