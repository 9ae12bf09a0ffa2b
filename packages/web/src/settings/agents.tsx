import type { AgentSetting, AgentView } from "@signalbox/api";
import { useCallback } from "react";
import { driverLabels } from "../session-info/drivers.ts";
import { useDevice } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";

/** The agent programs that the hub can run. */
export function Agents() {
  const { client, toasts } = useAppContext();
  const { role } = useDevice();
  const { state, reload } = useLoad(useCallback(() => client.agents(), [client]));
  const setDriver = async (agents: readonly AgentView[], agent: string, driver: string) => {
    try {
      await client.setAgents(
        agents.map((each) => toSetting(each.name === agent ? { ...each, driver } : each)),
      );
    } catch (failure) {
      toasts.showError("The driver was not changed", failure);
    }
    reload();
  };
  return (
    <LoadedContent state={state}>
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
                  {Object.entries({ [driver]: driver, ...driverLabels }).map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
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
    </LoadedContent>
  );
}

/** An agent's settings, without what the hub has found out about it. */
function toSetting(agent: AgentView): AgentSetting {
  const { found: _found, problem: _problem, ...setting } = agent;
  return setting;
}
