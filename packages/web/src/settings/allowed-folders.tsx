import type { AllowedFoldersView } from "@signalbox/api";
import { useCallback, useState } from "react";
import { inert } from "../text/visible.ts";
import { useDevice, useMayDrive } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";
import { errorMessage } from "../text/error-message.ts";

/** The folders below which drivers, such as the command line, may start sessions. */
export function AllowedFolders() {
  const mayDrive = useMayDrive();
  if (!mayDrive) return <p className="text-small text-dim">This device starts no sessions.</p>;
  return <AllowedFoldersByMachine />;
}

function AllowedFoldersByMachine() {
  const { client } = useAppContext();
  const { role } = useDevice();
  const { state, reload } = useLoad(useCallback(() => client.allowedFolders(), [client]));
  return (
    <>
      <p className="text-small text-dim">
        Drivers, such as the command line, start sessions below these folders and see no others.
        Devices that approve may start one anywhere; its folder is then allowed as long as the
        session is not deleted.
      </p>
      <LoadedContent state={state}>
        {(machines) => (
          <ul className="flex flex-col gap-4">
            {machines.map((machine) => (
              <li key={machine.runner}>
                <h3 className="font-semibold">{inert(machine.machine)}</h3>
                {role === "admin" ? (
                  <FoldersForm
                    key={machine.folders.join("\n")}
                    machine={machine}
                    onSaved={reload}
                  />
                ) : (
                  <FolderList folders={machine.folders} />
                )}
                {machine.fromSessions.length > 0 && (
                  <div className="mt-1 text-small text-dim">
                    Allowed because a device that approves started a session there:
                    <FolderList folders={machine.fromSessions} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </LoadedContent>
    </>
  );
}

function FolderList({ folders }: { folders: readonly string[] }) {
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
  const [text, setText] = useState(machine.folders.join("\n"));
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
        void save(parseFolders(text));
      }}
    >
      <label className="flex flex-col gap-1">
        <span className="text-small text-dim">
          One folder on each line{machine.isDefault && "; this is the home folder, nothing was set"}
        </span>
        <textarea
          className="field min-h-13 font-mono text-small"
          data-role="allowed-folders"
          rows={3}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {problem !== undefined && (
        <p className="text-failed wrap-anywhere" role="alert">
          {inert(problem)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <button
          type="submit"
          className="button"
          data-role="save-allowed-folders"
          disabled={text === machine.folders.join("\n")}
        >
          Save the folders
        </button>
        {!machine.isDefault && (
          <button type="button" className="button" onClick={() => void save(null)}>
            Back to the home folder
          </button>
        )}
      </div>
    </form>
  );
}

/** The folders in a text, one per line. */
export function parseFolders(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}
