/** Finds the text of a file that a model means if it wrote other quotation marks. */
export function findIntendedText(whole: string, old: string): string | undefined {
  if (whole.includes(old)) return old;
  const at = straight(whole).indexOf(straight(old));
  return at === -1 ? undefined : whole.slice(at, at + old.length);
}

const straight = (text: string): string => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');

/** Applies the quotation marks of the replaced text to the new one. */
export function copyQuotationMarks(next: string, replaced: string, old: string): string {
  if (replaced === old) return next;
  const doubles = /[“”]/.test(replaced) ? curlQuotes(next, '"', "“", "”") : next;
  return /[‘’]/.test(replaced) ? curlQuotes(doubles, "'", "‘", "’") : doubles;
}

function curlQuotes(text: string, mark: string, opening: string, closing: string): string {
  return text.replaceAll(mark, (_, at: number) => {
    const [before, after] = [text[at - 1] ?? " ", text[at + 1] ?? " "];
    const isApostrophe = mark === "'" && /\p{L}/u.test(before) && /\p{L}/u.test(after);
    return !isApostrophe && /[\s([{—–]/.test(before) ? opening : closing;
  });
}

/** Removes the spaces at the end of each line. */
export const withoutTrailingSpace = (text: string): string =>
  text.replace(/[^\S\r\n]+(?=\r?\n|\r|$)/g, "");

const LOOKED_AT = 4096;

/** Converts line endings to those that the model sees, and returns the most common original one. */
export function normalizeLineEnds(whole: string): {
  text: string;
  restore: (text: string) => string;
} {
  const beginning = whole.slice(0, LOOKED_AT);
  const crlf = beginning.split("\r\n").length - 1;
  const lf = beginning.split("\n").length - 1 - crlf;
  return {
    text: whole.replaceAll("\r\n", "\n"),
    restore: (text) => (crlf > lf ? text.replace(/\r?\n/g, "\r\n") : text),
  };
}
