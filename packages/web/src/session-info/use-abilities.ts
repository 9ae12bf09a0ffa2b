import type { HubClient, Session } from "@signalbox/client";
import { useEffect, useState } from "react";
import { useWorld } from "../store/app-context.tsx";
import { type Abilities, abilitiesIn, noAbilities } from "./abilities.ts";
import { introductionIn } from "./run-lines.ts";

interface Known {
  readonly run: string | undefined;
  readonly abilities: Abilities;
}
/** By session: what its newest run has told. */
const known = new Map<string, Known>();

async function learn(client: HubClient, session: string): Promise<Abilities> {
  return abilitiesIn(await introductionIn((range) => client.lines(session, range)));
}

/** The commands and models of a session; learned anew from each run, once that has told them. */
export function useAbilities(session: Session): Abilities {
  const { client } = useWorld();
  const { id, summary } = session;
  const [abilities, setAbilities] = useState(() => known.get(id)?.abilities ?? noAbilities);
  const run = session.run?.run;
  const { turns } = summary;
  useEffect(() => {
    const there = known.get(id);
    setAbilities(there?.abilities ?? noAbilities);
    if (there && there.run === run) return undefined;
    let left = false;
    const look = async () => {
      const found = await learn(client, id);
      if (found.commands.length === 0) return;
      known.set(id, { run, abilities: found });
      if (!left) setAbilities(found);
    };
    void look().catch(() => undefined); // asked again after the next turn
    return () => {
      left = true;
    };
  }, [client, id, run, turns]);
  return abilities;
}
