import type { AgentView, PolicyName } from "@signalbox/api";
import { useCallback, useMemo, useState } from "react";
import { limitPermission } from "../session-info/permissions.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useMachines } from "../store/machines.ts";
import { useMayDecide } from "../store/use-hub.ts";
import { useLoaded } from "./use-loaded.ts";

const noAgents: readonly AgentView[] = [];

/** The selected machine, or the hub's own. */
export function useMachineChoice(wanted: string | undefined) {
  const machines = useMachines();
  const [chosen, setRunner] = useState(wanted);
  const known = machines.find(({ id }) => id === chosen) ?? machines.find(({ own }) => own);
  return { machines, runner: known?.id, setRunner };
}

export function machineParam(runner: string | undefined): { runner?: string } {
  return runner === undefined ? {} : { runner };
}

/** The home folder on the selected machine, which is the default folder. */
export function useHome(isWanted: boolean, runner: string | undefined): string | undefined {
  const { client } = useAppContext();
  const load = useMemo(
    () => (isWanted ? async () => (await client.folders(machineParam(runner))).path : undefined),
    [client, isWanted, runner],
  );
  return useLoaded<string | undefined>(load, undefined);
}

/** The permission that the hub gives to sessions that name none. An older hub has no such setting. */
export function useDefaultPermission(): PolicyName {
  const { client } = useAppContext();
  const load = useCallback(async () => (await client.sessionDefaults()).permission, [client]);
  return limitPermission(useLoaded<PolicyName>(load, "default"), useMayDecide());
}

export function useAgents(runner: string | undefined): readonly AgentView[] {
  const { client } = useAppContext();
  const load = useCallback(() => client.agents(runner), [client, runner]);
  return useLoaded<readonly AgentView[]>(load, noAgents);
}
