import type { Virtualizer } from "@tanstack/react-virtual";
import { useEffect } from "react";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { registerPromptSteps } from "./prompt-step.ts";

/** Lets keys step through the prompts of a conversation: the next one below the top, or the one above it. */
export function usePromptSteps(
  session: string,
  { watch }: SessionHandle,
  rows: readonly string[],
  list: Virtualizer<HTMLDivElement, Element>,
  goTo: (index: number) => void,
): void {
  useEffect(
    () =>
      registerPromptSteps(session, (direction) => {
        const isPrompt = (id: string) => watch.view.item(id)?.kind === "prompt";
        const top = firstVisibleRow(list);
        const index =
          direction === 1
            ? rows.findIndex((id, at) => at > top && isPrompt(id))
            : rows.findLastIndex((id, at) => at < top && isPrompt(id));
        if (index !== -1) goTo(index);
      }),
    [session, watch, rows, list, goTo],
  );
}

/** The row at the upper edge. A row that is nearly scrolled out does not count. */
function firstVisibleRow(list: Virtualizer<HTMLDivElement, Element>): number {
  const edge = (list.scrollOffset ?? 0) + 20;
  const row = list.getVirtualItems().find(({ end }) => end > edge);
  return row?.index ?? 0;
}
