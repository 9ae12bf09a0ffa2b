import type { ChangedFile } from "@signalbox/api";

export interface LineTotals {
  readonly added: number;
  readonly removed: number;
}

/** The lines that were added and removed in these files. Files that are not text count as none. */
export function addCounts(files: readonly Pick<ChangedFile, "added" | "removed">[]): LineTotals {
  let added = 0;
  let removed = 0;
  for (const file of files) {
    added += file.added ?? 0;
    removed += file.removed ?? 0;
  }
  return { added, removed };
}
