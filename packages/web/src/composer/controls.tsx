import type { Session } from "@signalbox/client";
import { Gauge, Sparkles } from "lucide-react";
import type { AgentModel } from "@signalbox/api";
import { PermissionPicker } from "../session-info/permission-picker.tsx";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { PillMenu } from "../ui/pill-menu.tsx";

const text = strings.composer;

/** The running model: the selected one if it matches, otherwise the first with that name. */
export function findCurrentModel(
  models: readonly AgentModel[],
  runs: string,
  chosen: string | undefined,
) {
  const is = ({ value, resolved }: AgentModel) => value === runs || resolved === runs;
  return models.find((model) => model.value === chosen && is(model)) ?? models.find(is);
}

/** The label of an effort level, which the agent names. */
function effortLabel(effort: string): string {
  const known: Readonly<Record<string, string>> = text.efforts;
  return known[effort] ?? effort;
}

/** Pickers for model, effort and permission. */
export function Controls({ session, models }: { session: Session; models: readonly AgentModel[] }) {
  const { client, toasts } = useAppContext();
  const { id, state, summary, options } = session;
  const set = async (what: string, subtype: string, fields: Record<string, unknown>) => {
    try {
      await client.control(id, subtype, fields);
    } catch (failure) {
      toasts.showError(text.couldNotChange(what), failure);
    }
  };
  const runs = summary.model ?? options.model ?? "";
  const current = findCurrentModel(models, runs, options.model);
  const model = current?.value ?? runs;
  const efforts = current?.efforts ?? [];
  const disabledReason = state === "running" ? undefined : text.onlyWhileRunning;
  return (
    <>
      {(models.length > 0 || model !== "") && (
        <PillMenu
          label={text.model}
          icon={Sparkles}
          value={model}
          options={[
            ...(current ? [] : [{ value: model, label: model || text.defaultModel }]),
            ...models.map(({ value, name }) => ({
              value,
              label: name.replace(/ \(recommended\)$/, ""),
            })),
          ]}
          disabledReason={disabledReason}
          role="model"
          onChange={(next) => void set("model", "set_model", { model: next })}
        />
      )}
      {efforts.length > 0 && (
        <PillMenu
          label={text.effort}
          icon={Gauge}
          value={options.effort ?? ""}
          options={[
            { value: "", label: text.defaultEffort },
            ...efforts.map((effort) => ({ value: effort, label: effortLabel(effort) })),
          ]}
          disabledReason={disabledReason}
          isIconOnPhone
          role="effort"
          onChange={(next) => void set("effort", "set_effort", { effort: next || null })}
        />
      )}
      <PermissionPicker session={session} />
    </>
  );
}
