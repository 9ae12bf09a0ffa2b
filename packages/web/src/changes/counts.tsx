import { formatNumber } from "../text/format.ts";

interface Props {
  readonly added: number | null;
  readonly removed: number | null;
  readonly className?: string;
}

/** Added and removed lines. Nothing for a file that is not text. */
export function Counts({ added, removed, className = "" }: Props) {
  if (!added && !removed) return null;
  return (
    <span className={`shrink-0 text-small whitespace-nowrap tabular-nums ${className}`}>
      {added ? <span className="text-working">+{formatNumber(added)}</span> : null}
      {added && removed ? " " : null}
      {removed ? <span className="text-failed">−{formatNumber(removed)}</span> : null}
    </span>
  );
}
