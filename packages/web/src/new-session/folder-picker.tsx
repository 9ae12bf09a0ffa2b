import { useLayoutEffect, useRef, useState } from "react";
import { PathText } from "../text/path-text.tsx";
import { spelled } from "../text/visible.ts";
import { baseName, abbreviateHome } from "../text/path.ts";
import { joinPath } from "./recent-folders.ts";
import { useFolders } from "./use-folders.ts";

interface Props {
  /** The machine whose folders these are; the hub's own unless said. */
  readonly runner: string | undefined;
  readonly value: string;
  readonly recent: readonly string[];
  /** What is wrong is told elsewhere already. */
  readonly told: boolean;
  readonly onChange: (folder: string) => void;
}

/** A folder: one that was used lately, one that is typed, or one that is found step by step. */
export function FolderPicker({ runner, value, recent, told, onChange }: Props) {
  const [browsing, setBrowsing] = useState(recent.length === 0);
  const field = useRef<HTMLInputElement>(null);
  const typed = useRef(value);
  // What comes by itself while one is about to type is replaced by the first letter, not continued.
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
  // As high whatever is in it: what is below must not move under a hand when the list comes.
  return (
    <div className="box h-40 overflow-y-auto" aria-busy={busy}>
      {problem !== undefined && !told && <p className="p-2 text-small text-failed">{problem}</p>}
      {folder && (
        <ul className="font-mono text-small">
          {folder.parent !== null && (
            <li>
              <button
                type="button"
                className="button button-bare w-full justify-start"
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
                className="button button-bare w-full justify-start"
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
