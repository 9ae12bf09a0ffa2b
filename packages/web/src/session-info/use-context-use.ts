import type { Session } from "@signalbox/client";
import { useBoard } from "../store/use-hub.ts";
import { type ShownContext, describeContext, findKnownWindow } from "./describe-context.ts";

/** The use of a session's context window. During the first turn its size is known from other sessions. */
export function useContextUse({ summary }: Session): ShownContext | undefined {
  const isFirstTurn = summary.turns === 0 && summary.context !== undefined;
  const known = useBoard((view) =>
    isFirstTurn ? findKnownWindow(view.sessions, summary.model) : undefined,
  );
  return describeContext(summary, known);
}
