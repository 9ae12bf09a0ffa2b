import type { Item } from "@signalbox/client";

/** What a turn's work amounts to. */
interface WorkSummary {
  readonly steps: number;
  readonly added: number;
  readonly removed: number;
  readonly failed: number;
  readonly durationMs: number | undefined;
}

/** Adds up the tool calls of a turn. Its duration is the one that is known, or from its first to its last item. */
export function summarizeWork(
  items: readonly Item[],
  endedAt: number | undefined,
  duration: number | undefined,
): WorkSummary {
  let added = 0;
  let removed = 0;
  let steps = 0;
  let failed = 0;
  for (const item of items) {
    if (item.kind !== "tool") continue;
    steps += 1;
    if (item.status === "error") failed += 1;
    const { payload } = item;
    if (payload?.kind !== "modify_file") continue;
    added += payload.output?.added ?? 0;
    removed += payload.output?.removed ?? 0;
  }
  return { steps, added, removed, failed, durationMs: duration ?? elapsed(items[0]?.at, endedAt) };
}

function elapsed(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : Math.max(0, to - from);
}
