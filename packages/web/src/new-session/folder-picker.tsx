import { useLayoutEffect, useRef, useState } from "react";
import { PathText } from "../text/path-text.tsx";
import { spelled } from "../text/visible.ts";
import { baseName, abbreviateHome } from "../text/path.ts";
import { joinPath } from "./recent-folders.ts";
import { useFolders } from "./use-folders.ts";

interface Props {
  /** The machine's runner; the hub's own by default. */
  readonly runner: string | undefined;
  readonly value: string;
  readonly recent: readonly string[];
  /** Whether the problem is already shown elsewhere. */
  readonly told: boolean;
  readonly onChange: (folder: string) => void;
}

/** Selects a folder: a recent one, a typed path, or by browsing. */
export function FolderPicker({ runner, value, recent, told, onChange }: Props) {
  const [browsing, setBrowsing] = useState(recent.length === 0);
  const field = useRef<HTMLInputElement>(null);
  const typed = useRef(value);
  // Selects a value that was filled in while the field has the focus, so that typing replaces it.
  useLayoutEffect(() => {
    const isTyped = typed.current === value;
    typed.current = value;
    if (!isTyped && document.activeElement === field.current) field.current?.select();
  }, [value]);
  return (
    <div className="flex flex-col gap-2">
      <label className="flex flex-col gap-1">
        <span className="text-small text-dim">Folder</span>
        <input
          ref={field}
          className="field font-mono text-small"
          data-role="folder"
          spellCheck={false}
          placeholder="/home/you/project"
          value={value}
          onChange={(event) => {
            typed.current = event.target.value;
            onChange(typed.current);
          }}
        />
      </label>
      <div className="flex flex-wrap gap-1">
        {recent.map((folder) => (
          <button
            key={folder}
            type="button"
            className="button max-w-full min-w-0 text-small"
            aria-pressed={folder === value}
            onClick={() => onChange(folder)}
          >
            <span className="max-w-[70%] shrink-0 truncate">{spelled(baseName(folder))}</span>{" "}
            <PathText path={abbreviateHome(folder)} whole={folder} className="font-mono text-dim" />
          </button>
        ))}
        <button
          type="button"
          className="button text-small"
          aria-expanded={browsing}
          onClick={() => setBrowsing(!browsing)}
        >
          {browsing ? "Hide folders" : "Look for a folder…"}
        </button>
      </div>
      {browsing && <FolderBrowser runner={runner} value={value} told={told} onChange={onChange} />}
    </div>
  );
}

function FolderBrowser({ runner, value, told, onChange }: Omit<Props, "recent">) {
  const { folder, problem, busy } = useFolders(value === "" ? undefined : value, runner);
  // A fixed height, so that nothing below moves when the list loads.
  return (
    <div className="box h-40 overflow-y-auto" aria-busy={busy}>
      {problem !== undefined && !told && <p className="p-2 text-small text-failed">{problem}</p>}
      {folder && (
        <ul className="font-mono text-small">
          {folder.parent !== null && (
            <li>
              <button
                type="button"
                className="button button-ghost w-full justify-start"
                onClick={() => onChange(folder.parent ?? "/")}
              >
                ../ <span className="text-dim">up from {spelled(abbreviateHome(folder.path))}</span>
              </button>
            </li>
          )}
          {folder.folders.map(({ name, repository }) => (
            <li key={name}>
              <button
                type="button"
                className="button button-ghost w-full justify-start"
                onClick={() => onChange(joinPath(folder.path, name))}
              >
                {spelled(name)}/ {repository && <span className="text-dim">repository</span>}
              </button>
            </li>
          ))}
          {folder.folders.length === 0 && <li className="p-2 text-dim">No folders in here.</li>}
        </ul>
      )}
    </div>
  );
}
