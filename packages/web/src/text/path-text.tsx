import { splitPath } from "./path.ts";
import { spelled } from "./visible.ts";

interface Props {
  readonly path: string;
  /** What is told on hover, where that is more than what is shown. */
  readonly whole?: string;
  readonly className?: string;
}

/** A path in one line. Where it has no room its middle goes, so that its start and its end can be read. */
export function PathText({ path, whole = path, className = "" }: Props) {
  const { start, end } = splitPath(spelled(path));
  return (
    <span className={`path-text ${className}`} title={spelled(whole)}>
      {/* An empty one would be what the path stands on in its line, with its lower edge. */}
      {start !== "" && <span className="path-start as-it-runs">{start}</span>}
      <span className="path-end" dir="rtl">
        <span className="as-it-runs">{end}</span>
      </span>
    </span>
  );
}
