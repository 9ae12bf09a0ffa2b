/** With more changes than this, the search for the shortest difference takes too long. */
const MAX_CHANGES = 1000;

/** Counts the lines that have to be inserted and deleted to turn one text into the other. */
export async function countChanges(
  from: string,
  to: string,
): Promise<{ insertions: number; deletions: number }> {
  const { diffArrays } = await import("diff");
  const [before, after] = [splitLines(from), splitLines(to)];
  const changes = diffArrays(before, after, { maxEditLength: MAX_CHANGES });
  if (!changes) return { insertions: after.length, deletions: before.length };
  const count = (isOfKind: (change: { added: boolean; removed: boolean }) => boolean) =>
    changes.filter(isOfKind).reduce((sum, change) => sum + change.count, 0);
  return { insertions: count(({ added }) => added), deletions: count(({ removed }) => removed) };
}

/** Splits a text into lines. A line feed at the end of the text does not begin another line. */
function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
