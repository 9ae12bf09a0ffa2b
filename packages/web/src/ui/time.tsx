import { formatElapsed, formatDateTime, formatRelativeTime } from "../text/format.ts";
import { useSeconds } from "../store/clock.ts";
import { preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { strings } from "../strings/strings.ts";

/** A relative time with the exact time on hover, or the exact time if that is preferred. */
export function RelativeTime({ at }: { at: number }) {
  const now = useSeconds();
  const { dates } = useSignal(preferences);
  return (
    <time dateTime={new Date(at).toISOString()} data-tip={formatDateTime(at)}>
      {dates === "exact" ? formatDateTime(at) : formatRelativeTime(at, now)}
    </time>
  );
}

/** A running duration. */
export function ElapsedTime({ since }: { since: number }) {
  const now = useSeconds();
  return (
    <time
      dateTime={new Date(since).toISOString()}
      data-tip={strings.formats.since(formatDateTime(since))}
    >
      {formatElapsed(Math.max(0, now - since))}
    </time>
  );
}
