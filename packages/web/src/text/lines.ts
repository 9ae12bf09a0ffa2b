/** The first and last lines of a text. */
interface HeadAndTail {
  readonly head: string;
  /** The last lines; empty if nothing was omitted. */
  readonly tail: string;
  readonly omitted: number;
}

/** The first `head` and last `tail` lines. Fewer than `worth` lines are not omitted. */
export function splitHeadAndTail(text: string, head: number, tail: number, worth = 4): HeadAndTail {
  const lines = text.split("\n");
  const omitted = lines.length - head - tail;
  if (omitted < worth) return { head: text, tail: "", omitted: 0 };
  return {
    head: lines.slice(0, head).join("\n"),
    tail: tail === 0 ? "" : lines.slice(-tail).join("\n"),
    omitted,
  };
}

export function countLines(text: string): number {
  if (text === "") return 0;
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Removes line breaks at the end of an output. */
export function trimEndLines(text: string): string {
  return text.replace(/\n+$/, "");
}

/** Splits a text into chunks of lines, so that the browser only lays out visible ones. */
export function chunkLines(text: string, size: number): string[] {
  const lines = text.split("\n");
  const chunks: string[] = [];
  for (let at = 0; at < lines.length; at += size)
    chunks.push(lines.slice(at, at + size).join("\n"));
  return chunks;
}

/** Truncates a text in the middle. */
export function truncateMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = Math.ceil((limit - 1) * 0.65);
  return `${text.slice(0, limit - 1 - tail)}…${text.slice(-tail)}`;
}
