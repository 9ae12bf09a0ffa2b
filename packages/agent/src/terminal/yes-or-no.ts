import { askLine, type Streams } from "./ask-line.ts";

/** Asks a question that Enter answers with no. Resolves to undefined if the person leaves. */
export function askYesOrNo(question: string, streams: Streams): Promise<boolean | undefined> {
  return askLine(`${question} [y/N] `, streams, (reply) => {
    if (/^y(?:es)?$/i.test(reply)) return { value: true };
    return /^(?:no?)?$/i.test(reply) ? { value: false } : undefined;
  });
}
