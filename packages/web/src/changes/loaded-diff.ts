import type { FileDiff } from "@signalbox/api";
import { prepareHunks, type ShownHunk } from "./diff-lines.ts";
import { parsePatch, readLfsSizes } from "./parse-patch.ts";
import { hashChange } from "./viewed-files.ts";

/** The change of a file, ready to be drawn. */
export type LoadedDiff =
  | {
      readonly kind: "text";
      readonly patch: string;
      readonly hunks: readonly ShownHunk[];
      /** The change is longer than what was sent. */
      readonly isCut: boolean;
      /** The sizes of a file that Git LFS stores; its lines are those of a pointer. */
      readonly lfs: ReturnType<typeof readLfsSizes>;
      readonly hash: string;
    }
  | (Exclude<FileDiff, { kind: "text" }> & { readonly hash: string });

export function loadDiff(path: string, diff: FileDiff): LoadedDiff {
  if (diff.kind !== "text") return { ...diff, hash: hashChange(JSON.stringify(diff)) };
  const parsed = parsePatch(diff.patch);
  // Lines around the change are not part of it: more of them can be shown.
  const changed = parsed.flatMap(({ hunk }) =>
    hunk.lines.filter((line) => line.startsWith("+") || line.startsWith("-")),
  );
  return {
    kind: "text",
    patch: diff.patch,
    hunks: prepareHunks(path, parsed),
    isCut: diff.cut,
    lfs: readLfsSizes(parsed),
    hash: hashChange(changed.join("\n")),
  };
}
