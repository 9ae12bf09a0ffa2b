import { splitPath } from "./path.ts";
import { spelled } from "./visible.ts";

interface Props {
  readonly path: string;
  /** The text shown on hover, if it differs. */
  readonly whole?: string;
  readonly className?: string;
}

/** A path on one line. What does not fit is cut off at its start. */
export function PathText({ path, whole = path, className = "" }: Props) {
  const { start, end } = splitPath(spelled(path));
  return (
    <span className={`path-text ${className}`} data-tip={spelled(whole)}>
      {/* An empty element would change the baseline. */}
      {start !== "" && (
        <span className="path-start" dir="rtl">
          <span className="as-it-runs">{start}</span>
        </span>
      )}
      <span className="path-end" dir="rtl">
        <span className="as-it-runs">{end}</span>
      </span>
    </span>
  );
}
