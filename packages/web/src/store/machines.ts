import type { Session } from "@signalbox/client";
import type { RunnerView } from "@signalbox/api";
import { useMemo } from "react";
import { useBoard } from "./use-hub.ts";

/** The machines on which sessions can be started: not the one inside the hub, for agents that dial in. */
function startableMachines(runners: readonly RunnerView[]): readonly RunnerView[] {
  return runners.filter(({ relay }) => relay !== true);
}

/**
 * What the machine of a session is called, where that says something: where there are several, and for
 * an agent that dialled in, which may be on any machine.
 */
export function machineLabel(runners: readonly RunnerView[], runner: string): string | undefined {
  const found = runners.find(({ id }) => id === runner);
  if (found?.relay === true) return found.machine;
  if (startableMachines(runners).length < 2) return undefined;
  return found?.machine ?? "a machine that was removed";
}

export function useMachines(): readonly RunnerView[] {
  const runners = useBoard((view) => view.runners);
  return useMemo(() => startableMachines(runners), [runners]);
}

export function useMachineLabel({ runner }: Pick<Session, "runner">): string | undefined {
  return useBoard((view) => machineLabel(view.runners, runner));
}
