import type { TerminalView } from "@signalbox/api";
import { useMemo } from "react";
import { useBoard } from "../store/use-hub.ts";
import { listTerminals } from "./shell-actions.ts";

/** The terminals of a session, the oldest first. */
export function useTerminals(session: string): readonly TerminalView[] {
  const all = useBoard((view) => view.terminals);
  return useMemo(() => listTerminals(all, session), [all, session]);
}
