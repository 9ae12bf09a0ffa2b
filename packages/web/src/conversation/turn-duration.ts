import type { SessionView } from "@signalbox/client";
import { activeTime } from "../items/tools/active-time.ts";

/** How long a turn worked, without the time in which it waited for a person. Undefined if it is not known. */
export function turnDuration(
  view: Pick<SessionView, "ids" | "item">,
  turnEnd: string,
): number | undefined {
  const end = view.item(turnEnd);
  if (end?.kind !== "turn-end" || end.durationMs === undefined) return undefined;
  if (end.at === undefined) return end.durationMs;
  const items = view.ids.slice(0, Math.max(0, view.ids.lastIndexOf(turnEnd)));
  const start = items.findLastIndex((id) => view.item(id)?.kind === "turn-end") + 1;
  const waits = items.slice(start).flatMap((id) => {
    const item = view.item(id);
    return item?.kind === "tool" ? (item.waits ?? []) : [];
  });
  return activeTime(end.at - end.durationMs, end.at, waits);
}
