import type { AllowedFoldersView } from "@signalbox/api";
import { useCallback, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { useDevice, useMayDrive } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { inert } from "../text/visible.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";
import { FormProblem, SettingsBox } from "./setting-parts.tsx";

const text = settingsStrings.trust;

/** The folders below which drivers, such as the command line, may start sessions. */
export function AllowedFolders() {
  if (!useMayDrive()) return <p className="text-control text-dim">{text.viewer}</p>;
  return <AllowedFoldersByMachine />;
}

function AllowedFoldersByMachine() {
  const { client } = useAppContext();
  const { role } = useDevice();
  const { state, reload } = useLoad(useCallback(() => client.allowedFolders(), [client]));
  return (
    <LoadedContent state={state}>
      {(machines) => (
        <SettingsBox>
          {machines.map((machine) => (
            <div key={machine.runner} className="flex flex-col gap-2 px-3.5 py-3">
              <h4 className="font-medium">{inert(machine.machine)}</h4>
              {role === "admin" ? (
                <FoldersForm key={machine.folders.join("\n")} machine={machine} onSaved={reload} />
              ) : (
                <FolderList folders={machine.folders} />
              )}
              {machine.fromSessions.length > 0 && (
                <div className="text-small text-dim">
                  {text.fromSessions}
                  <FolderList folders={machine.fromSessions} />
                </div>
              )}
            </div>
          ))}
        </SettingsBox>
      )}
    </LoadedContent>
  );
}

function FolderList({ folders }: { readonly folders: readonly string[] }) {
  return (
    <ul className="font-mono text-small wrap-anywhere">
      {folders.map((folder) => (
        <li key={folder}>{inert(folder)}</li>
      ))}
    </ul>
  );
}

function FoldersForm(props: {
  readonly machine: AllowedFoldersView;
  readonly onSaved: () => void;
}) {
  const { machine, onSaved } = props;
  const { client } = useAppContext();
  const [typed, setTyped] = useState(machine.folders.join("\n"));
  const [problem, setProblem] = useState<string>();
  const save = async (folders: string[] | null) => {
    setProblem(undefined);
    try {
      await client.setAllowedFolders({ runner: machine.runner, folders });
      onSaved();
    } catch (failure) {
      setProblem(errorMessage(failure));
    }
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save(parseFolders(typed));
      }}
    >
      <label className="flex flex-col gap-1">
        <span className="text-small text-dim">
          {machine.isDefault ? text.homeDefault : text.onePerLine}
        </span>
        <textarea
          className="field font-mono text-small"
          data-role="allowed-folders"
          rows={2}
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <FormProblem problem={problem === undefined ? undefined : inert(problem)} />
      <div className="flex flex-wrap gap-2">
        <button
          type="submit"
          className="button"
          data-role="save-allowed-folders"
          disabled={typed === machine.folders.join("\n")}
        >
          {text.saveFolders}
        </button>
        {!machine.isDefault && (
          <button type="button" className="button" onClick={() => void save(null)}>
            {text.resetFolders}
          </button>
        )}
      </div>
    </form>
  );
}

/** The folders in a text, one per line. */
function parseFolders(lines: string): string[] {
  const folders = lines.split("\n").map((line) => line.trim());
  return folders.filter((folder) => folder !== "");
}
