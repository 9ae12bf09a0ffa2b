import type { Session } from "@signalbox/client";
import type { RunnerView } from "@signalbox/api";
import { useMemo } from "react";
import { useBoard } from "./use-hub.ts";
import { strings } from "../strings/strings.ts";

/**
 * The machines on which sessions can be started. The hub's internal runner for agents that dial in is not one
 * of them.
 */
function startableMachines(runners: readonly RunnerView[]): readonly RunnerView[] {
  return runners.filter(({ relay }) => relay !== true);
}

/** The name of a session's machine, if there are several or the agent dialed in. */
export function machineLabel(runners: readonly RunnerView[], runner: string): string | undefined {
  const found = runners.find(({ id }) => id === runner);
  if (found?.relay === true) return found.machine;
  if (startableMachines(runners).length < 2) return undefined;
  return found?.machine ?? strings.session.removedMachine;
}

export function useMachines(): readonly RunnerView[] {
  const runners = useBoard((view) => view.runners);
  return useMemo(() => startableMachines(runners), [runners]);
}

export function useMachineLabel({ runner }: Pick<Session, "runner">): string | undefined {
  return useBoard((view) => machineLabel(view.runners, runner));
}
