/** What of a file a model means that cannot tell kinds of quotation marks apart, or writes the others. */
export function meantText(whole: string, old: string): string | undefined {
  if (whole.includes(old)) return old;
  const at = straight(whole).indexOf(straight(old));
  return at === -1 ? undefined : whole.slice(at, at + old.length);
}

const straight = (text: string): string => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');

/** The new text with the quotation marks of what it replaces. */
export function quotedAlike(next: string, replaced: string, old: string): string {
  if (replaced === old) return next;
  const doubles = /[“”]/.test(replaced) ? curled(next, '"', "“", "”") : next;
  return /[‘’]/.test(replaced) ? curled(doubles, "'", "‘", "’") : doubles;
}

function curled(text: string, mark: string, opening: string, closing: string): string {
  return text.replaceAll(mark, (_, at: number) => {
    const [before, after] = [text[at - 1] ?? " ", text[at + 1] ?? " "];
    const isApostrophe = mark === "'" && /\p{L}/u.test(before) && /\p{L}/u.test(after);
    return !isApostrophe && /[\s([{—–]/.test(before) ? opening : closing;
  });
}

/** Lines without the spaces at their ends. */
export const withoutTrailingSpace = (text: string): string =>
  text.replace(/[^\S\r\n]+(?=\r?\n|\r|$)/g, "");

const LOOKED_AT = 4096;

/** A file's text with ends of lines as the model sees them, and how most of them were. */
export function evenLines(whole: string): { text: string; restore: (text: string) => string } {
  const beginning = whole.slice(0, LOOKED_AT);
  const crlf = beginning.split("\r\n").length - 1;
  const lf = beginning.split("\n").length - 1 - crlf;
  return {
    text: whole.replaceAll("\r\n", "\n"),
    restore: (text) => (crlf > lf ? text.replace(/\r?\n/g, "\r\n") : text),
  };
}
