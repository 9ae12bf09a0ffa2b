/** What is shown of many lines before someone asks for all of them. */
interface HeadAndTail {
  readonly head: string;
  /** The last lines; empty when nothing was left out. */
  readonly tail: string;
  readonly omitted: number;
}

/** The first `head` and the last `tail` lines; leaving out less than `worth` lines is not worth it. */
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

/** One line break at the end of an output belongs to the command, not to what is seen. */
export function trimEndLines(text: string): string {
  return text.replace(/\n+$/, "");
}

/** Pieces of whole lines, so that a browser lays out only those in sight. */
export function chunkLines(text: string, size: number): string[] {
  const lines = text.split("\n");
  const chunks: string[] = [];
  for (let at = 0; at < lines.length; at += size)
    chunks.push(lines.slice(at, at + size).join("\n"));
  return chunks;
}

/** Long paths are cut in the middle: the file's name and the beginning tell most. */
export function truncateMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = Math.ceil((limit - 1) * 0.65);
  return `${text.slice(0, limit - 1 - tail)}…${text.slice(-tail)}`;
}
