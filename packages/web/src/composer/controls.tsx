import type { Session } from "@signalbox/client";
import { useMayDecide } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import type { Model } from "../session-info/abilities.ts";
import { availableModes } from "./modes.ts";

/** The running model: the selected one if it matches, otherwise the first with that name. */
export function findCurrentModel(
  models: readonly Model[],
  runs: string,
  chosen: string | undefined,
) {
  const is = ({ value, resolved }: Model) => value === runs || resolved === runs;
  return models.find((model) => model.value === chosen && is(model)) ?? models.find(is);
}

/** Selects for model, effort and permission mode of a running session. */
export function Controls({ session, models }: { session: Session; models: readonly Model[] }) {
  const { client, toasts } = useAppContext();
  const mayLoosen = useMayDecide();
  const { id, state, summary, options, policy } = session;
  const alive = state === "running";
  const set = async (what: string, subtype: string, fields: Record<string, unknown>) => {
    try {
      await client.control(id, subtype, fields);
    } catch (failure) {
      toasts.showError(`The ${what} was not changed`, failure);
    }
  };
  const runs = summary.model ?? options.model ?? "";
  const current = findCurrentModel(models, runs, options.model);
  const model = current?.value ?? runs;
  const efforts = current?.efforts ?? [];
  const mode = summary.mode ?? options.mode ?? "default";
  const title = alive ? undefined : "Can be changed while the agent runs";
  return (
    <>
      {(models.length > 0 || model !== "") && (
        <select
          className="field min-w-0 text-small max-sm:flex-1 sm:max-w-32"
          aria-label="Model"
          title={title}
          disabled={!alive}
          value={model}
          onChange={(event) => void set("model", "set_model", { model: event.target.value })}
        >
          {!current && <option value={model}>{model || "the usual model"}</option>}
          {models.map(({ value, name }) => (
            <option key={value} value={value}>
              {name.replace(/ \(recommended\)$/, "")}
            </option>
          ))}
        </select>
      )}
      {efforts.length > 0 && (
        <select
          className="field min-w-0 text-small max-sm:flex-1 sm:max-w-32"
          aria-label="Effort"
          title={title ?? "How hard the model thinks"}
          disabled={!alive}
          value={options.effort ?? ""}
          onChange={(event) =>
            void set("effort", "set_effort", { effort: event.target.value || null })
          }
        >
          <option value="">usual effort</option>
          {efforts.map((effort) => (
            <option key={effort} value={effort}>
              {effort} effort
            </option>
          ))}
        </select>
      )}
      <select
        className="field min-w-0 text-small max-sm:flex-1 sm:max-w-32"
        aria-label="Mode"
        title={title ?? `Mode: ${mode}; policy: ${policy}`}
        disabled={!alive}
        value={mode}
        onChange={(event) => void set("mode", "set_permission_mode", { mode: event.target.value })}
      >
        {availableModes(policy, mode, mayLoosen).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </>
  );
}
