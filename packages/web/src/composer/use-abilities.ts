import type { HubClient, Session } from "@signalbox/client";
import { useEffect, useState } from "react";
import { useWorld } from "../store/world.tsx";
import { type Abilities, abilitiesIn, noAbilities } from "./abilities.ts";

/** An agent introduces itself within its first lines. */
const FIRST_LINES = 40;
const known = new Map<string, Abilities>();

async function learn(client: HubClient, session: string): Promise<Abilities> {
  const { lines } = await client.lines(session, { after: 0, limit: FIRST_LINES });
  const abilities = abilitiesIn(lines);
  if (abilities.commands.length > 0) known.set(session, abilities);
  return abilities;
}

/** The commands and models of a session; learned once a run has told them. */
export function useAbilities(session: Session): Abilities {
  const { client } = useWorld();
  const { id, run, summary } = session;
  const [abilities, setAbilities] = useState(() => known.get(id) ?? noAbilities);
  const begun = run?.run;
  const { turns } = summary;
  useEffect(() => {
    const there = known.get(id);
    setAbilities(there ?? noAbilities);
    if (there) return undefined;
    let left = false;
    const look = async () => {
      const found = await learn(client, id);
      if (!left) setAbilities(found);
    };
    void look().catch(() => undefined); // asked again after the next turn
    return () => {
      left = true;
    };
  }, [client, id, begun, turns]);
  return abilities;
}
