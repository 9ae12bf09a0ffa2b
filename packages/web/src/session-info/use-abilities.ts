import type { AgentAbilities } from "@signalbox/api";
import type { Session } from "@signalbox/client";
import { useEffect, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";

const noAbilities: AgentAbilities = { commands: [], models: [] };

interface KnownAbilities {
  readonly run: string | undefined;
  readonly abilities: AgentAbilities;
}
/** The abilities of each session's newest run. */
const abilitiesBySession = new Map<string, KnownAbilities>();

/** The commands and models of a session, loaded once per run. */
export function useAbilities(session: Session): AgentAbilities {
  const { client } = useAppContext();
  const { id, summary } = session;
  const [abilities, setAbilities] = useState(
    () => abilitiesBySession.get(id)?.abilities ?? noAbilities,
  );
  const run = session.run?.run;
  const { turns } = summary;
  useEffect(() => {
    const there = abilitiesBySession.get(id);
    setAbilities(there?.abilities ?? noAbilities);
    if (there && there.run === run) return undefined;
    let cancelled = false;
    const look = async () => {
      const found = await client.abilities(id);
      if (found.commands.length === 0) return;
      abilitiesBySession.set(id, { run, abilities: found });
      if (!cancelled) setAbilities(found);
    };
    void look().catch(() => undefined); // It is tried again after the next turn.
    return () => {
      cancelled = true;
    };
  }, [client, id, run, turns]);
  return abilities;
}
