import type { ImportMachine, ImportSettings, ImportStatus } from "@signalbox/api";
import { errorMessage } from "@signalbox/protocol/text";
import { useCallback, useEffect, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { useMayDecide } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { formatBytes } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";
import {
  FormProblem,
  SettingRow,
  SettingsBox,
  SettingsGroup,
  SwitchRow,
} from "./setting-parts.tsx";

const text = settingsStrings.import;
const REFRESH_MS = 2000;

/** Claude Code's own sessions: whether and from where they are imported, and how far that is. */
export function ImportSection() {
  const { client, toasts } = useAppContext();
  const { state, reload } = useLoad(useCallback(() => client.importStatus(), [client]));
  useEffect(() => {
    const timer = setInterval(reload, REFRESH_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const save = async (settings: ImportSettings) => {
    await client.setImport(settings);
    reload();
  };
  return (
    <LoadedContent state={state}>
      {(status) => (
        <>
          <SwitchGroup status={status} save={save} />
          <SettingsGroup title={text.progress}>
            <SettingsBox>
              {status.machines.map((machine) => (
                <MachineRow key={machine.runner} machine={machine} />
              ))}
              {status.on && (
                <SettingRow label={text.now} hint={text.nowHint}>
                  <button
                    type="button"
                    className="button"
                    data-role="import-now"
                    onClick={() =>
                      void client
                        .importNow()
                        .then(reload)
                        .catch((failure: unknown) => toasts.showError(text.couldNotStart, failure))
                    }
                  >
                    {text.now}
                  </button>
                </SettingRow>
              )}
            </SettingsBox>
          </SettingsGroup>
          <SettingsGroup title={text.folders} hint={text.foldersHint}>
            <FolderForm key={status.folders.join("\n")} status={status} save={save} />
          </SettingsGroup>
        </>
      )}
    </LoadedContent>
  );
}

interface FormProps {
  readonly status: ImportStatus;
  readonly save: (settings: ImportSettings) => Promise<void>;
}

function SwitchGroup({ status: { on, folders }, save }: FormProps) {
  const { toasts } = useAppContext();
  const mayChange = useMayDecide();
  return (
    <SettingsBox>
      <SwitchRow
        label={text.on}
        hint={text.onHint}
        isOn={on}
        isDisabled={!mayChange}
        role="import-on"
        onChange={(isOn) =>
          void save({ on: isOn, folders }).catch((failure: unknown) =>
            toasts.showError(text.couldNotSave, failure),
          )
        }
      />
    </SettingsBox>
  );
}

function MachineRow({ machine }: { readonly machine: ImportMachine }) {
  const { sessions, copied, bytes, problems } = machine;
  const progress = sessions === 0 ? text.none : text.copied(copied, sessions, formatBytes(bytes));
  return (
    <div className="px-3.5 py-2" data-role="import-machine">
      <div className="flex items-baseline gap-3">
        <span className="grow truncate">{inert(machine.machine)}</span>
        <span className="text-small text-dim">{text.states[machine.state]}</span>
      </div>
      <p className="text-small text-dim">{progress}</p>
      {sessions > 0 && copied < sessions && (
        <progress
          className="mt-1 h-1 w-full accent-accent"
          aria-label={text.progress}
          max={sessions}
          value={copied}
        />
      )}
      {problems.length > 0 && (
        <details className="mt-1 text-small">
          <summary className="text-dim">{text.problems(problems.length)}</summary>
          <ul className="mt-1 flex flex-col gap-1">
            {problems.map(({ path, why }) => (
              <li key={`${path}\n${why}`} className="wrap-anywhere">
                <span className="font-mono">{inert(path)}</span>{" "}
                <span className="text-dim">{inert(why)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function FolderForm({ status: { on, folders }, save }: FormProps) {
  const mayChange = useMayDecide();
  const [typed, setTyped] = useState(folders.join("\n"));
  const [problem, setProblem] = useState<string>();
  const submit = async () => {
    const lines = typed.split("\n").map((line) => line.trim());
    try {
      setProblem(undefined);
      await save({ on, folders: lines.filter((line) => line !== "") });
    } catch (failure) {
      setProblem(errorMessage(failure));
    }
  };
  return (
    <SettingsBox>
      <form
        className="flex flex-col gap-2 px-3.5 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <textarea
          className="field font-mono text-small"
          aria-label={text.folders}
          data-role="import-folders"
          rows={2}
          spellCheck={false}
          disabled={!mayChange}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <FormProblem problem={problem === undefined ? undefined : inert(problem)} />
        <div className="flex">
          <button
            type="submit"
            className="button"
            disabled={!mayChange || typed === folders.join("\n")}
          >
            {settingsStrings.save}
          </button>
        </div>
      </form>
    </SettingsBox>
  );
}
