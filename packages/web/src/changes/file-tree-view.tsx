import { useVirtualizer } from "@tanstack/react-virtual";
import { Check, ChevronDown, ChevronRight, Minus } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { isTouchOnly } from "../browser/screen.ts";
import { strings } from "../strings/strings.ts";
import { spelled } from "../text/visible.ts";
import type { ShownFile } from "./changes-store.ts";
import { Counts } from "./counts.tsx";
import { buildTree, type TreeRow } from "./file-tree.ts";
import { StatusLetter } from "./status-letter.tsx";

const text = strings.changes;
const ROW_PX = isTouchOnly() ? 44 : 30;

interface Props {
  readonly files: readonly ShownFile[];
  /** The file whose change is at the top of the list. */
  readonly current: string | undefined;
  readonly onChoose: (path: string) => void;
}

/** The changed files as a tree with counts. */
export function FileTreeView({ files, current, onChoose }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(
    () =>
      buildTree(
        files.map(({ file }) => file),
        closed,
      ),
    [files, closed],
  );
  const viewed = useMemo(
    () => new Set(files.flatMap(({ file, isViewed }) => (isViewed ? [file.path] : []))),
    [files],
  );
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (at) => rows[at]?.path ?? at,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const at = rows.findIndex((row) => row.kind === "file" && row.path === current);
  const { scrollToIndex } = list;
  useEffect(() => {
    if (at !== -1) scrollToIndex(at, { align: "auto" });
  }, [at, scrollToIndex]);
  const toggle = (path: string) => {
    const next = new Set(closed);
    if (!next.delete(path)) next.add(path);
    setClosed(next);
  };
  return (
    <div ref={scroller} className="change-tree" role="tree" aria-label={text.list}>
      <div className="relative w-full" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <div
              key={key}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${start}px)`, height: ROW_PX }}
            >
              {row.kind === "folder" ? (
                <FolderRow row={row} onToggle={() => toggle(row.path)} />
              ) : (
                <FileRow
                  row={row}
                  isCurrent={row.path === current}
                  isViewed={viewed.has(row.path)}
                  onChoose={() => onChoose(row.path)}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** How far a row is moved in, from the left edge of the tree. */
const indent = (depth: number) => ({ paddingInlineStart: 8 + depth * 14 });

function FolderRow(props: { row: Extract<TreeRow, { kind: "folder" }>; onToggle: () => void }) {
  const { row, onToggle } = props;
  const Icon = row.isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      className="change-tree-row"
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={row.isOpen}
      aria-selected={false}
      style={indent(row.depth)}
      onClick={onToggle}
    >
      <Icon aria-hidden="true" className="size-3.5! shrink-0 text-faint" />
      <span className="min-w-0 grow truncate text-dim">{spelled(row.name)}</span>
      {!row.isOpen && <Counts {...row.totals} />}
    </button>
  );
}

function FileRow(props: {
  row: Extract<TreeRow, { kind: "file" }>;
  isCurrent: boolean;
  isViewed: boolean;
  onChoose: () => void;
}) {
  const { row, isCurrent, isViewed, onChoose } = props;
  const { file } = row;
  return (
    <button
      type="button"
      className="change-tree-row"
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isCurrent}
      data-viewed={isViewed}
      data-tree-file={row.path}
      data-tip={spelled(row.path)}
      style={indent(row.depth)}
      onClick={onChoose}
    >
      <StatusLetter status={file.status} />
      <span className="min-w-0 grow truncate font-mono">{spelled(row.name)}</span>
      {file.staged && <StagedMark isWhole={!file.unstaged} />}
      <Counts added={file.added} removed={file.removed} />
    </button>
  );
}

function StagedMark({ isWhole }: { isWhole: boolean }) {
  const Icon = isWhole ? Check : Minus;
  const label = text.staged(!isWhole);
  return (
    <Icon
      className="size-3.5! shrink-0 text-dim"
      role="img"
      aria-label={label}
      data-tip={label}
      data-role="staged"
    />
  );
}
