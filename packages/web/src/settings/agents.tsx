import type { AgentSetting, AgentView } from "@signalbox/api";
import { useCallback } from "react";
import { drivers } from "../session-info/driver-words.ts";
import { useDevice } from "../store/use-hub.ts";
import { useWorld } from "../store/app-context.tsx";
import { Loading } from "../ui/loading.tsx";
import { useLoaded } from "../ui/use-loaded.ts";

/** The programs that can be run. */
export function Agents() {
  const { client, toasts } = useWorld();
  const { role } = useDevice();
  const { state, again } = useLoaded(useCallback(() => client.agents(), [client]));
  const setDriver = async (agents: readonly AgentView[], agent: string, driver: string) => {
    try {
      await client.setAgents(
        agents.map((each) => settingOf(each.name === agent ? { ...each, driver } : each)),
      );
    } catch (failure) {
      toasts.fail("The driver was not changed", failure);
    }
    again();
  };
  return (
    <Loading state={state}>
      {(agents) => (
        <ul className="flex flex-col">
          {agents.map(({ name, found, problem, driver }) => (
            <li key={name} className="border-b border-line py-1.5">
              <span className="mr-2">{name}</span>
              {role === "admin" ? (
                <select
                  className="field inline-block w-auto max-w-full text-small"
                  aria-label={`How sessions talk to ${name} unless they say otherwise`}
                  value={driver}
                  onChange={(event) => void setDriver(agents, name, event.target.value)}
                >
                  {Object.entries({ [driver]: driver, ...drivers }).map(([value, words]) => (
                    <option key={value} value={value}>
                      {words}
                    </option>
                  ))}
                </select>
              ) : (
                <span className="text-small text-dim">{driver}</span>
              )}
              <span className={`block text-small ${found ? "text-dim" : "text-failed"}`}>
                {found ? (
                  <>
                    {found.version} ({found.versionClass}) ·{" "}
                    <span className="font-mono">{found.path}</span>
                  </>
                ) : (
                  (problem ?? "not found")
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Loading>
  );
}

/** What is set, without what was found. */
function settingOf(agent: AgentView): AgentSetting {
  const { found: _found, problem: _problem, ...setting } = agent;
  return setting;
}
