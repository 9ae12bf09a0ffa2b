import { useWaiting } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";

/** How many requests are open. A question mark says that the figure is the last known one. */
export function WaitingBadge() {
  const { count, isConfirmed } = useWaiting();
  if (count === 0) return null;
  return (
    <span
      className={isConfirmed ? "count-badge" : "count-badge bg-selected text-dim"}
      data-tip={isConfirmed ? undefined : strings.frame.inboxLastKnown}
    >
      {count}
      {!isConfirmed && "?"}
    </span>
  );
}
