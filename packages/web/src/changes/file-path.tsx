import { spelled } from "../text/visible.ts";

/** A file's path on one line, with its folders dimmed. They are cut before its name is. */
export function FilePath({ path, whole = path }: { path: string; whole?: string }) {
  const at = path.lastIndexOf("/") + 1;
  return (
    <span className="flex min-w-0 grow font-mono text-small" data-tip={spelled(whole)}>
      {at > 0 && (
        <span className="as-it-runs min-w-0 truncate text-faint">{spelled(path.slice(0, at))}</span>
      )}
      <span className="as-it-runs max-w-full shrink-0 truncate">{spelled(path.slice(at))}</span>
    </span>
  );
}
