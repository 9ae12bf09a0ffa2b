import type { Hunk } from "./hunk.ts";

/** Formats hunks as unified diff text, which `patch` and every diff view can read. */
export function formatUnifiedDiff(
  filePath: string,
  patch: readonly Hunk[],
  created: boolean,
): string {
  if (patch.length === 0) return "";
  const name = filePath.replaceAll(/[\r\n\t]/g, " ");
  const parts = [`--- ${created ? "/dev/null" : name}`, `+++ ${name}`];
  for (const hunk of patch) {
    const [old, now] = [span(hunk.oldStart, hunk.oldLines), span(hunk.newStart, hunk.newLines)];
    parts.push(`@@ -${old} +${now} @@`);
    for (const line of hunk.lines) parts.push(line);
  }
  return `${parts.join("\n")}\n`;
}

function span(start: number, lines: number): string {
  return lines === 1 ? String(start) : `${start},${lines}`;
}

export function countChangedLines(patch: readonly Hunk[]): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (const { lines } of patch) {
    for (const line of lines) {
      if (line.startsWith("+")) added++;
      else if (line.startsWith("-")) removed++;
    }
  }
  return { added, removed };
}
