import { useLayoutEffect, useRef, useState } from "react";
import { PathText } from "../text/path-text.tsx";
import { spelled } from "../text/visible.ts";
import { baseName, abbreviateHome } from "../text/path.ts";
import { strings } from "../strings/strings.ts";
import { joinPath } from "./recent-folders.ts";
import { useFolders } from "./use-folders.ts";

const text = strings.newSession;

interface Props {
  /** The machine's runner; the hub's own by default. */
  readonly runner: string | undefined;
  readonly value: string;
  readonly recent: readonly string[];
  /** Whether the problem is already shown elsewhere. */
  readonly hidesProblem: boolean;
  readonly onChange: (folder: string) => void;
  /** Called when a choice needs no further step. */
  readonly onDone: () => void;
}

/** Selects a folder: a recent one, a typed path, or by browsing. */
export function FolderPicker({ runner, value, recent, hidesProblem, onChange, onDone }: Props) {
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
        <span className="text-small text-dim">{text.folder}</span>
        <input
          ref={field}
          className="field font-mono text-small"
          data-role="folder"
          spellCheck={false}
          placeholder={text.folderPlaceholder}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            onDone();
          }}
          value={value}
          onChange={(event) => {
            typed.current = event.target.value;
            onChange(typed.current);
          }}
        />
      </label>
      {recent.length > 0 && (
        <ul aria-label={text.recent}>
          {recent.map((folder) => (
            <li key={folder}>
              <button
                type="button"
                className="nav-row w-full"
                aria-pressed={folder === value}
                onClick={() => {
                  onChange(folder);
                  onDone();
                }}
              >
                <span className="max-w-[60%] shrink-0 truncate text-ink">
                  {spelled(baseName(folder))}
                </span>{" "}
                <PathText
                  path={abbreviateHome(folder)}
                  whole={folder}
                  className="font-mono text-small text-faint"
                />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <button
          type="button"
          className="button button-small"
          aria-expanded={browsing}
          onClick={() => setBrowsing(!browsing)}
        >
          {browsing ? text.hideFolders : text.browse}
        </button>
      </div>
      {browsing && (
        <FolderBrowser
          runner={runner}
          value={value}
          hidesProblem={hidesProblem}
          onChange={onChange}
        />
      )}
    </div>
  );
}

function FolderBrowser({
  runner,
  value,
  hidesProblem,
  onChange,
}: Omit<Props, "recent" | "onDone">) {
  const { folder, problem, busy } = useFolders(value === "" ? undefined : value, runner);
  // A fixed height, so that nothing below moves when the list loads.
  return (
    <div className="box h-40 overflow-y-auto" aria-busy={busy}>
      {problem !== undefined && !hidesProblem && (
        <p className="p-2 text-small text-failed">{problem}</p>
      )}
      {folder && (
        <ul className="font-mono text-small">
          {folder.parent !== null && (
            <li>
              <button
                type="button"
                className="button button-ghost w-full justify-start"
                onClick={() => onChange(folder.parent ?? "/")}
              >
                ../ <span className="text-dim">{text.parentFolder}</span>
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
                {spelled(name)}/ {repository && <span className="text-dim">{text.repository}</span>}
              </button>
            </li>
          ))}
          {folder.folders.length === 0 && <li className="p-2 text-dim">{text.noFolders}</li>}
        </ul>
      )}
    </div>
  );
}
