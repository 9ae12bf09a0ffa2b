import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";
import { useDiffMode } from "../items/diff/diff-mode.ts";
import { strings } from "../strings/strings.ts";
import type { ShownFile } from "./changes-store.ts";
import { DiffLineView } from "./diff-line-view.tsx";
import type { FileActions } from "./file-actions.ts";
import { FileHeader } from "./file-header.tsx";
import { FileNote } from "./file-note.tsx";
import { HunkHeader } from "./hunk-header.tsx";
import { buildViewRows, estimateHeight, findStep, type ViewRow } from "./view-rows.ts";

const OVERSCAN = 12;

export interface DiffListHandle {
  readonly goToFile: (path: string) => void;
  readonly step: (what: "file" | "hunk", direction: 1 | -1) => void;
}

interface Props {
  readonly ref: Ref<DiffListHandle>;
  readonly files: readonly ShownFile[];
  readonly actions: FileActions;
  /** Called with the files in sight. */
  readonly onVisible: (paths: readonly string[]) => void;
  /** Called with the file at the top. */
  readonly onCurrent: (path: string) => void;
}

/** The changes of all files one below the other, as a virtual list of lines. */
export function DiffList({ ref, files, actions, onVisible, onCurrent }: Props) {
  const mode = useDiffMode();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => buildViewRows(files, mode), [files, mode]);
  const headers = useMemo(
    () => rows.flatMap(({ kind }, at) => (kind === "file" ? [at] : [])),
    [rows],
  );
  /** The header that stays at the top while its change is scrolled. */
  const pinned = useRef(0);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (at) => rows[at]?.key ?? at,
    estimateSize: (at) => estimateHeight(rows[at]),
    overscan: OVERSCAN,
    paddingStart: 16,
    paddingEnd: 96,
    rangeExtractor: useCallback(
      (range: Range) => {
        pinned.current = headers.findLast((at) => at <= range.startIndex) ?? 0;
        return [...new Set([pinned.current, ...defaultRangeExtractor(range)])];
      },
      [headers],
    ),
  });
  const { scrollToIndex } = list;
  const goTo = useCallback(
    (index: number) => scrollToIndex(index, { align: "start" }),
    [scrollToIndex],
  );
  const shown = list.getVirtualItems();
  const visible = [...new Set(shown.map(({ index }) => rows[index]?.file.file.path ?? ""))];
  const current = rows[list.range?.startIndex ?? 0]?.file.file.path;
  useEffect(() => onVisible(visible));
  useEffect(() => {
    if (current !== undefined) onCurrent(current);
  }, [current, onCurrent]);
  const [target, setTarget] = useState<string>();
  useEffect(() => {
    const at = rows.findIndex((row) => row.kind === "file" && row.key === target);
    if (at === -1) return;
    goTo(at);
    // Rows above and below get their real heights while they are loaded.
    const file = rows[at]?.file;
    if (!file?.isOpen || file.diff || file.problem !== undefined) setTarget(undefined);
  }, [target, rows, goTo]);
  useImperativeHandle(
    ref,
    () => ({
      goToFile: setTarget,
      step: (what, direction) => {
        const edge = (list.scrollOffset ?? 0) + (what === "hunk" ? PINNED_PX : 2);
        const first = list
          .getVirtualItems()
          .find(({ index, end }) => index !== pinned.current && end > edge);
        const from = first?.index ?? 0;
        const start = direction === 1 && what === "file" ? Math.max(from - 1, 0) : from;
        const at = findStep(rows, start, what, direction);
        if (at !== undefined) goTo(what === "hunk" ? Math.max(0, at - 1) : at);
      },
    }),
    [rows, goTo, list],
  );
  return (
    <div
      ref={scroller}
      className="change-scroller"
      onWheel={() => setTarget(undefined)}
      onPointerDown={() => setTarget(undefined)}
      tabIndex={0}
      role="region"
      aria-label={strings.changes.region}
      data-role="changes"
    >
      <div className="relative flow-root w-full" style={{ height: list.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const row = rows[index];
          if (!row) return null;
          const isPinned = index === pinned.current;
          return (
            <div
              key={key}
              ref={list.measureElement}
              data-index={index}
              className={isPinned ? "change-pinned" : "absolute top-0 left-0 w-full"}
              style={isPinned ? { marginTop: start } : { transform: `translateY(${start}px)` }}
            >
              <RowView row={row} mode={mode} actions={actions} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** How much of the list the pinned header covers. */
const PINNED_PX = 46;

interface RowViewProps {
  readonly row: ViewRow;
  readonly mode: "unified" | "split";
  readonly actions: FileActions;
}

function RowView({ row, mode, actions }: RowViewProps) {
  switch (row.kind) {
    case "file":
      return <FileHeader shown={row.file} actions={actions} />;
    case "note":
      return (
        <div className="change-row">
          <FileNote shown={row.file} onRetry={actions.onRetry} />
        </div>
      );
    case "hunk":
      return (
        <div className="change-row">
          <HunkHeader row={row} actions={actions} />
        </div>
      );
    case "line":
      return (
        <div className="change-row">
          <DiffLineView line={row.line} columns={mode} />
        </div>
      );
    case "end":
      return <div className="change-end" data-open={row.file.isOpen} />;
    default:
      return row satisfies never;
  }
}
