import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  type Virtualizer,
} from "@tanstack/react-virtual";
import {
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useDiffMode } from "../items/diff/diff-mode.ts";
import { strings } from "../strings/strings.ts";
import type { ShownFile } from "./changes-store.ts";
import { DiffLineView, type OnLine } from "./diff-line-view.tsx";
import type { DiffLine } from "./diff-lines.ts";
import type { FileActions } from "./file-actions.ts";
import { FileHeader } from "./file-header.tsx";
import { FileNote } from "./file-note.tsx";
import { HunkHeader } from "./hunk-header.tsx";
import { CommentEditor } from "./comment-editor.tsx";
import { CommentView } from "./comment-view.tsx";
import type { CommentTarget, Review } from "./use-review.ts";
import { buildViewRows, estimateHeight, findStep, type ViewRow } from "./view-rows.ts";

const OVERSCAN = 12;

export interface DiffListHandle {
  readonly goToFile: (path: string) => void;
  /** The first changed line in sight, to be commented on. */
  readonly findChangedLine: () => Extract<ViewRow, { kind: "line" }> | undefined;
  readonly step: (what: "file" | "hunk", direction: 1 | -1) => void;
}

interface Props {
  readonly ref: Ref<DiffListHandle>;
  readonly files: readonly ShownFile[];
  readonly actions: FileActions;
  readonly review: Review;
  /** Called with the files in sight. */
  readonly onVisible: (paths: readonly string[]) => void;
  /** Called with the file at the top. */
  readonly onCurrent: (path: string) => void;
}

/** The changes of all files one below the other, as a virtual list of lines. */
export function DiffList({ ref, files, actions, review, onVisible, onCurrent }: Props) {
  const mode = useDiffMode();
  const scroller = useRef<HTMLDivElement>(null);
  const { comments, target: commented } = review;
  const rows = useMemo(
    () => buildViewRows(files, mode, { comments, target: commented }),
    [files, mode, comments, commented],
  );
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
  useAnchor(scroller, list, rows, pinned, target !== undefined);
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
      findChangedLine: () => {
        const edge = (list.scrollOffset ?? 0) + PINNED_PX;
        const inSight = list.getVirtualItems().filter(({ end }) => end > edge);
        return inSight
          .map(({ index }) => rows[index])
          .find((row) => row?.kind === "line" && row.line.kind === "changed") as
          | Extract<ViewRow, { kind: "line" }>
          | undefined;
      },
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
              <RowView row={row} mode={mode} actions={actions} review={review} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface LineRowProps extends Pick<RowViewProps, "mode" | "actions"> {
  readonly row: Extract<ViewRow, { kind: "line" }>;
  readonly target: CommentTarget | undefined;
}

function LineRow({ row, mode, actions, target }: LineRowProps) {
  const { file, line } = row;
  const { onLine, mayDrive } = actions;
  const choose = useCallback<OnLine>(
    (side, number, how) => onLine(file, side, number, how),
    [onLine, file],
  );
  const selected = isSelected(line, file.file.path, target) ? target?.side : undefined;
  return (
    <DiffLineView
      line={line}
      columns={mode}
      selected={selected}
      onLine={mayDrive ? choose : undefined}
    />
  );
}

function isSelected(line: DiffLine, path: string, target: CommentTarget | undefined): boolean {
  if (target?.path !== path || !target.lines || line.kind === "remark") return false;
  const number = line[target.side]?.number;
  return number !== undefined && number >= target.lines.first && number <= target.lines.last;
}

/** Keeps the first row in sight where it is when rows are inserted above it, because a change was loaded. */
function useAnchor(
  scroller: RefObject<HTMLDivElement | null>,
  list: Virtualizer<HTMLDivElement, Element>,
  rows: readonly ViewRow[],
  pinned: RefObject<number>,
  isOff: boolean,
): void {
  const anchor = useRef<{ readonly row: ViewRow; readonly delta: number }>(undefined);
  const off = useRef(isOff);
  off.current = isOff;
  useLayoutEffect(() => {
    const { row, delta = 0 } = anchor.current ?? {};
    if (!row || off.current || !scroller.current) return;
    const same = rows.findIndex(({ key }) => key === row.key);
    const at = same === -1 ? rows.findIndex(({ key }) => key === row.file.file.path) : same;
    const start = list.measurementsCache[at]?.start;
    if (start === undefined || at === 0) return;
    const wanted = start + (same === -1 ? 0 : delta);
    if (Math.abs(wanted - scroller.current.scrollTop) > 1) scroller.current.scrollTop = wanted;
  }, [rows, list, scroller]); // Not when a jump to a file ends, which has moved the rows on purpose.
  useEffect(() => {
    const edge = list.scrollOffset ?? 0;
    const first = list
      .getVirtualItems()
      .find(({ index, end }) => index !== pinned.current && end > edge);
    const row = first && rows[first.index];
    anchor.current = row && { row, delta: edge - first.start };
  });
}

/** How much of the list the pinned header covers. */
const PINNED_PX = 46;

interface RowViewProps {
  readonly row: ViewRow;
  readonly mode: "unified" | "split";
  readonly actions: FileActions;
  readonly review: Review;
}

function RowView({ row, mode, actions, review }: RowViewProps) {
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
          <LineRow row={row} mode={mode} actions={actions} target={review.target} />
        </div>
      );
    case "comment":
      return (
        <div className="change-row">
          <CommentView comment={row.comment} shown={row.file} review={review} />
        </div>
      );
    case "editor":
      return (
        <div className="change-row">
          <CommentEditor
            key={row.target.edited?.id ?? row.key}
            target={row.target}
            review={review}
          />
        </div>
      );
    case "end":
      return <div className="change-end" data-open={row.file.isOpen} />;
    default:
      return row satisfies never;
  }
}
