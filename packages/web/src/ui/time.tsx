import { formatElapsed, formatDateTime, formatRelativeTime } from "../text/format.ts";
import { useSeconds } from "../store/clock.ts";

/** A relative time, with the exact time on hover. */
export function RelativeTime({ at }: { at: number }) {
  const now = useSeconds();
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {formatRelativeTime(at, now)}
    </time>
  );
}

/** A running duration. */
export function ElapsedTime({ since }: { since: number }) {
  const now = useSeconds();
  return (
    <time dateTime={new Date(since).toISOString()} title={`since ${formatDateTime(since)}`}>
      {formatElapsed(Math.max(0, now - since))}
    </time>
  );
}
