import { useCallback } from "react";
import { useBoard } from "../store/use-hub.ts";
import { useWorld } from "../store/world.tsx";
import { Loading } from "./loading.tsx";
import { useLoaded } from "./use-loaded.ts";

/** The programs that can be run, and where they run. */
export function Agents() {
  const { client } = useWorld();
  const runners = useBoard((view) => view.runners);
  const { state } = useLoaded(useCallback(() => client.agents(), [client]));
  return (
    <>
      <Loading state={state}>
        {(agents) => (
          <ul className="flex flex-col">
            {agents.map(({ name, found, problem, driver }) => (
              <li key={name} className="border-b border-line py-1.5">
                {name}
                <span className="ml-2 text-small text-dim">{driver}</span>
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
      <ul className="text-small text-dim">
        {runners.map(({ id, machine, own, online, runs }) => (
          <li key={id}>
            {machine}
            {own && " (the hub's own machine)"}: {online ? "connected" : "away"}, {runs} running
          </li>
        ))}
      </ul>
    </>
  );
}
