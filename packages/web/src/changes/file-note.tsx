import { strings } from "../strings/strings.ts";
import { formatBytes } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import type { ShownFile } from "./changes-store.ts";

const text = strings.changes.notes;

/** What is said of a file's change in words: that it is loading, or why there are no lines or not all of them. */
export function FileNote({ shown, onRetry }: { shown: ShownFile; onRetry: () => void }) {
  const { file, problem } = shown;
  if (problem !== undefined) {
    return (
      <p className="change-note text-failed" role="alert">
        {text.couldNotLoad(inert(problem))}
        <button type="button" className="quiet-button" onClick={onRetry}>
          {text.tryAgain}
        </button>
      </p>
    );
  }
  const sentences = describe(shown);
  if (file.mode) sentences.push(describeMode(file.mode));
  return <p className="change-note">{sentences.join(" ")}</p>;
}

function describe({ file, diff }: ShownFile): string[] {
  if (file.unreadableName) return [text.unreadableName];
  if (diff === undefined) return [text.loading];
  switch (diff.kind) {
    case "binary":
      return [diff.bytes === null ? text.binary : text.binaryOfSize(formatBytes(diff.bytes))];
    case "submodule":
      return [text.submodule(shorten(diff.from), shorten(diff.to))];
    case "none":
      return [text.none];
    case "text": {
      const { hunks, isCut, lfs } = diff;
      if (lfs) return [text.lfs(formatSize(lfs.from), formatSize(lfs.to))];
      if (isCut) return [text.cut];
      if (hunks.length > 0 || file.mode) return [];
      return [file.status === "renamed" ? text.onlyRenamed : text.noLines];
    }
    default:
      return diff satisfies never;
  }
}

const shorten = (commit: string | null) => commit?.slice(0, 10) ?? text.noCommit;
const formatSize = (bytes: number | undefined) =>
  bytes === undefined ? text.noFile : formatBytes(bytes);

/** Git's modes in words: only whether a file can be run ever changes, or what it is. */
function describeMode({ from, to }: { from: string; to: string }): string {
  if (from === "100644" && to === "100755") return text.madeExecutable;
  if (from === "100755" && to === "100644") return text.madeNotExecutable;
  if (to === "120000") return text.becameLink;
  if (from === "120000") return text.becameFile;
  return text.mode(from, to);
}
