import type { Session } from "@signalbox/client";
import { useWorld } from "../store/world.tsx";
import type { Model } from "./abilities.ts";

const modes = [
  { value: "default", words: "asks" },
  { value: "acceptEdits", words: "edits freely" },
  { value: "plan", words: "plans" },
] as const;

/** Model and mode, changed in the middle of a session. */
export function Controls({ session, models }: { session: Session; models: readonly Model[] }) {
  const { client, toasts } = useWorld();
  const { id, state, summary, options } = session;
  const alive = state === "running";
  const set = async (what: string, subtype: string, fields: Record<string, unknown>) => {
    try {
      await client.control(id, subtype, fields);
    } catch (failure) {
      toasts.fail(`The ${what} was not changed`, failure);
    }
  };
  const model = summary.model ?? options.model ?? "";
  const mode = summary.mode ?? options.mode ?? "default";
  const title = alive ? undefined : "Can be changed while the agent runs";
  return (
    <>
      {(models.length > 0 || model !== "") && (
        <select
          className="field max-w-36 min-w-0 text-small"
          aria-label="Model"
          title={title}
          disabled={!alive}
          value={model}
          onChange={(event) => void set("model", "set_model", { model: event.target.value })}
        >
          {!models.some(({ value }) => value === model) && (
            <option value={model}>{model || "the usual model"}</option>
          )}
          {models.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
      <select
        className="field max-w-36 min-w-0 text-small"
        aria-label="Mode"
        title={title}
        disabled={!alive}
        value={mode}
        onChange={(event) => void set("mode", "set_permission_mode", { mode: event.target.value })}
      >
        {!modes.some(({ value }) => value === mode) && <option value={mode}>{mode}</option>}
        {modes.map(({ value, words }) => (
          <option key={value} value={value}>
            {value}: {words}
          </option>
        ))}
      </select>
    </>
  );
}
