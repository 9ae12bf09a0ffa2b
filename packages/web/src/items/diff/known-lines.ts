import type { Item, Mutation } from "@signalbox/timeline";
import { isCut } from "../../text/body.ts";

/** A part of a file that the conversation has shown, and the number of its first line. */
interface KnownText {
  readonly from: number;
  readonly text: string;
}

/**
 * The line of a file at which a text begins, as far as earlier calls have shown the file: the agent reads a
 * file before it edits it. `earlier` are the calls before the edit, in their order.
 */
export function findKnownLine(
  earlier: Iterable<Item>,
  path: string,
  sought: string,
): number | undefined {
  let known: KnownText | undefined;
  for (const item of earlier) {
    if (item.kind !== "tool" || item.status !== "complete") continue;
    const { payload } = item;
    if (payload?.kind === "read_file" && payload.filePath === path) {
      const { output, offset } = payload;
      if (output && isWhole(output.content) && output.content !== "") {
        known = { from: output.startLine ?? offset ?? 1, text: output.content };
      }
    } else if (payload?.kind === "modify_file" && payload.filePath === path) {
      for (const mutation of payload.mutations) known = applyMutation(known, mutation);
    }
  }
  if (!known) return undefined;
  const at = known.text.indexOf(sought);
  return at === -1 ? undefined : known.from + countLineFeeds(known.text.slice(0, at));
}

/** The text after a change. Undefined if it is not known any more. */
function applyMutation(
  known: KnownText | undefined,
  { oldContent, newContent, content }: Mutation,
): KnownText | undefined {
  if (content !== undefined) return isWhole(content) ? { from: 1, text: content } : undefined;
  if (!known || !isWhole(oldContent) || !isWhole(newContent)) return undefined;
  if (!known.text.includes(oldContent)) return undefined;
  return { ...known, text: known.text.replace(oldContent, () => newContent) };
}

/** Whether a text is there and complete. What the hub truncated has another shape than its type says. */
function isWhole(text: unknown): text is string {
  return typeof text === "string" && !isCut(text);
}

function countLineFeeds(text: string): number {
  return text.split("\n").length - 1;
}
