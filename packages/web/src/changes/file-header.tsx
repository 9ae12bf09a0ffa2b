import { ChevronDown, ChevronRight, Columns2, Ellipsis } from "lucide-react";
import { setDiffMode, useDiffMode } from "../items/diff/diff-mode.ts";
import { strings } from "../strings/strings.ts";
import { spelled } from "../text/visible.ts";
import { MenuButton } from "../ui/menu-button.tsx";
import type { ShownFile } from "./changes-store.ts";
import { Counts } from "./counts.tsx";
import { type FileAction, type FileActions, listFileActions } from "./file-actions.ts";
import { FilePath } from "./file-path.tsx";
import { StatusLetter } from "./status-letter.tsx";

const text = strings.changes;

interface Props {
  readonly shown: ShownFile;
  readonly actions: FileActions;
}

/** The header of a file's change. It stays in sight while the change is scrolled. */
export function FileHeader({ shown, actions }: Props) {
  const { file, isOpen, isViewed } = shown;
  const mode = useDiffMode();
  const entries = listFileActions(shown, actions);
  return (
    <div className="change-file" data-open={isOpen} data-change-file={file.path}>
      <button
        type="button"
        className="change-file-toggle"
        aria-expanded={isOpen}
        data-role="toggle-change"
        onClick={() => actions.onOpen(file.path, !isOpen)}
      >
        {isOpen ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
        <StatusLetter status={file.status} />
        <FilePath
          path={file.path}
          whole={file.from === undefined ? file.path : text.renamed(file.from, file.path)}
        />
        {file.from !== undefined && (
          <span className="truncate text-small text-faint max-md:hidden">
            {text.from(spelled(file.from))}
          </span>
        )}
        {file.staged && <span className="chip shrink-0">{text.staged(file.unstaged)}</span>}
        <Counts added={file.added} removed={file.removed} />
      </button>
      <label className="change-viewed">
        <input
          type="checkbox"
          checked={isViewed}
          data-role="viewed"
          onChange={(event) => actions.onViewed(file.path, event.target.checked)}
        />
        <span className="max-md:sr-only">{text.viewed}</span>
      </label>
      <button
        type="button"
        className="button button-ghost button-small max-md:hidden"
        aria-pressed={mode === "split"}
        data-role="split"
        onClick={() => setDiffMode(mode === "split" ? "unified" : "split")}
      >
        <Columns2 aria-hidden="true" />
        {text.split}
      </button>
      {entries.length > 0 && (
        <MenuButton
          className="button button-ghost button-icon shrink-0"
          aria-label={text.fileMenu(spelled(file.path))}
          data-role="file-menu"
          menu={{
            label: text.fileMenu(spelled(file.path)),
            align: "end",
            entries: entries.map(({ key, label }) => ({ key, content: label })),
            onSelect: (key) => actions.onAction(key as FileAction, shown),
          }}
        >
          <Ellipsis aria-hidden="true" />
        </MenuButton>
      )}
    </div>
  );
}
