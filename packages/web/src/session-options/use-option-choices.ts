import { useEffect, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import type { OptionChoices } from "./options-form.tsx";

/** Names that every version of Claude Code understands. */
const wellKnownModels = ["opus", "sonnet", "haiku"];

/** What can be chosen on a machine. Until that is loaded, or if it cannot be, only what is always there. */
export function useOptionChoices(runner: string | undefined): OptionChoices {
  const { client } = useAppContext();
  const [choices, setChoices] = useState<Omit<OptionChoices, "models">>({
    agents: [],
    profiles: [],
  });
  useEffect(() => {
    let isCancelled = false;
    const load = async () => {
      const [agents, profiles] = await Promise.all([
        client.agents(runner),
        client.environmentNames(),
      ]);
      if (!isCancelled) setChoices({ agents, profiles });
    };
    void load().catch(() => undefined);
    return () => {
      isCancelled = true;
    };
  }, [client, runner]);
  const models = choices.agents.flatMap((agent) => agent.models);
  return { ...choices, models: [...new Set([...wellKnownModels, ...models])] };
}
