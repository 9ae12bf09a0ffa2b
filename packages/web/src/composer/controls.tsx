import type { Session } from "@signalbox/client";
import type { AgentModel } from "@signalbox/api";
import { PermissionPicker } from "../session-info/permission-picker.tsx";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { EffortMenu, ModelMenu } from "./model-menus.tsx";

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

/** Pickers for model, effort and permission of a session. */
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
  const isInTerminal = session.run?.capabilities["terminal"] === true;
  const whileStopped = state === "running" ? undefined : text.onlyWhileRunning;
  const disabledReason = isInTerminal ? text.inTerminal : whileStopped;
  return (
    <>
      {(models.length > 0 || model !== "") && (
        <ModelMenu
          models={models}
          value={model}
          disabledReason={disabledReason}
          onChange={(next) => void set("model", "set_model", { model: next })}
        />
      )}
      {efforts.length > 0 && (
        <EffortMenu
          efforts={efforts}
          value={options.effort ?? ""}
          disabledReason={disabledReason}
          onChange={(next) => void set("effort", "set_effort", { effort: next || null })}
        />
      )}
      <PermissionPicker session={session} />
    </>
  );
}
