import type { AgentAbilities } from "@signalbox/api";
import type { Session } from "@signalbox/client";
import { useMemo } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { useLoaded } from "./use-loaded.ts";

const noAbilities: AgentAbilities = { commands: [], models: [] };

/**
 * The session whose agent most likely offers what the new one will: the newest on the machine with the same
 * agent, in the same folder if there is one, since folders bring commands of their own.
 */
export function findSimilarSession(
  sessions: readonly Session[],
  wanted: { readonly folder: string; readonly runner: string | undefined; readonly agent: string },
): Session | undefined {
  const similar = sessions
    .filter(({ runner, agent }) => agent === wanted.agent && runner === (wanted.runner ?? runner))
    .toSorted((a, b) => b.createdAt - a.createdAt);
  return similar.find(({ folder }) => folder === wanted.folder) ?? similar[0];
}

/** The commands and models to offer before the session exists. */
export function useDraftAbilities(similar: Session | undefined): AgentAbilities {
  const { client } = useAppContext();
  const id = similar?.id;
  const load = useMemo(
    () => (id === undefined ? undefined : () => client.abilities(id)),
    [client, id],
  );
  return useLoaded(load, noAbilities);
}
