import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useCallback, useEffect, useRef, useState } from "react";
import { ItemView } from "../items/item-view.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { Progress } from "../ui/progress.tsx";
import {
  type SessionHandle,
  useItem,
  useHasOlder,
  useRows,
  useViewState,
} from "../store/use-session-handle.ts";
import { useAppContext } from "../store/app-context.tsx";
import { sentMessage } from "../store/sent-message.ts";
import { useSignal } from "../store/signal.ts";
import { ItemMenu } from "./item-menu.tsx";
import { MessageTools } from "./message-tools.tsx";
import { PromptRail } from "./prompt-rail.tsx";
import { SessionItems } from "./session-items.tsx";
import { SelectionMention } from "./selection-mention.tsx";
import { ArrowDown } from "lucide-react";
import { strings } from "../strings/strings.ts";
import type { TodoRow } from "./todo-rows.ts";
import { TodosHeader } from "./todos-header.tsx";
import type { WorkRow } from "./turn-rows.ts";
import { usePromptSteps } from "./use-prompt-steps.ts";
import { LazyFindBar } from "./lazy-find-bar.tsx";
import { useTurnRows } from "./use-turn-rows.ts";
import { WorkHeader } from "./work-header.tsx";
import { WorkingLine } from "./working-line.tsx";
import { useFollow } from "./use-follow.ts";
import { type RevealedItem, useReveal } from "./use-reveal.ts";

const ESTIMATED_ROW_PX = 64;
const OVERSCAN = 6;
/** Older items are loaded when this many rows or fewer are left above. */
const LOAD_OLDER_ROWS = 10;

const text = strings.conversation;

/** The conversation as a virtual list. It stays at its end unless the person has scrolled away. */
export function ItemList({ id, handle }: { id: string; handle: SessionHandle }) {
  const ids = useRows(handle);
  const { rows, work, todos, toggleWork, isWorkOpen, openWork } = useTurnRows(handle, ids);
  const state = useViewState(handle);
  const older = useHasOlder(handle);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (at) => rows[at] ?? at,
    estimateSize: () => ESTIMATED_ROW_PX,
    overscan: OVERSCAN,
    anchorTo: "end",
    scrollPaddingStart: 16,
    paddingStart: 28,
    paddingEnd: 20,
  });
  const total = list.getTotalSize();
  const { atEnd, scrollToEnd, stopFollowing } = useFollow(scroller, total);
  const { scrollToIndex } = list;
  const goTo = useCallback(
    (index: number) => {
      stopFollowing();
      scrollToIndex(index, { align: "start" });
    },
    [stopFollowing, scrollToIndex],
  );
  const sent = useSignal(sentMessage);
  useEffect(() => {
    if (sent?.session === id) scrollToEnd();
  }, [sent, id, scrollToEnd]);
  usePromptSteps(id, handle, rows, list, goTo);
  const { revealed, isSearching } = useReveal(id, handle, rows, goTo, openWork);
  const hasEmptySpace = total < (scroller.current?.clientHeight ?? 0);
  const nearStart = (list.range?.startIndex ?? 0) < LOAD_OLDER_ROWS;
  const loadingOlder = useOlderItems(
    handle,
    older && rows.length > 0 && nearStart && (hasEmptySpace || !atEnd),
    rows.length,
  );

  return (
    <div className="conversation-view">
      <LazyFindBar session={id} handle={handle} />
      {(loadingOlder || isSearching) && <Progress label={text.loadingOlder} />}
      <div
        ref={scroller}
        className="conversation-scroller"
        tabIndex={0}
        role="log"
        aria-label={text.label}
        aria-busy={state === "loading"}
        data-role="conversation"
      >
        {rows.length === 0 && <EmptyConversation loading={state === "loading"} />}
        <SessionItems id={id} handle={handle}>
          <div className="relative w-full" style={{ height: total }}>
            {list.getVirtualItems().map((row) => (
              <div
                key={row.key}
                ref={list.measureElement}
                data-index={row.index}
                className="absolute top-0 left-0 w-full"
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <ConversationRow
                  id={rows[row.index] ?? ""}
                  session={id}
                  handle={handle}
                  work={work.get(rows[row.index] ?? "")}
                  todos={todos.get(rows[row.index] ?? "")}
                  isWorkOpen={isWorkOpen}
                  onToggleWork={toggleWork}
                  revealed={revealed?.row === rows[row.index] ? revealed : undefined}
                />
              </div>
            ))}
          </div>
          <WorkingLine id={id} handle={handle} isStuck={atEnd} />
        </SessionItems>
      </div>
      <PromptRail handle={handle} rows={rows} top={list.range?.startIndex ?? 0} goTo={goTo} />
      <SelectionMention session={id} handle={handle} root={scroller} />
      {rows.length > 0 && !atEnd && (
        <button
          type="button"
          className="button absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full bg-raised shadow-floating"
          onClick={scrollToEnd}
        >
          <ArrowDown aria-hidden="true" />
          {text.jumpToLatest}
        </button>
      )}
    </div>
  );
}

interface RowProps {
  readonly id: string;
  readonly session: string;
  readonly handle: SessionHandle;
  readonly work: WorkRow | undefined;
  readonly todos: TodoRow | undefined;
  readonly isWorkOpen: (turnEnd: string) => boolean;
  readonly onToggleWork: (turnEnd: string) => void;
  readonly revealed: RevealedItem | undefined;
}

function ConversationRow({ work, todos, isWorkOpen, onToggleWork, ...row }: RowProps) {
  if (todos) {
    return (
      <div className="item-row" data-row="todos">
        <div className="item">
          <TodosHeader
            session={row.session}
            handle={row.handle}
            todos={todos}
            isOpen={isWorkOpen(row.id)}
            onToggle={() => onToggleWork(row.id)}
          />
        </div>
      </div>
    );
  }
  if (!work) return <Row {...row} />;
  return (
    <div className="item-row">
      <WorkHeader
        handle={row.handle}
        work={work}
        isOpen={isWorkOpen(work.turnEnd)}
        onToggle={onToggleWork}
      />
    </div>
  );
}

const Row = memo(function Row(props: {
  handle: SessionHandle;
  session: string;
  id: string;
  /** The item to reveal in this row. */
  revealed: RevealedItem | undefined;
}) {
  const { handle, session, id, revealed } = props;
  const item = useItem(handle, id);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (revealed && row.current) showRevealed(row.current, revealed);
  }, [revealed]);
  if (!item) return null;
  return (
    <div
      ref={row}
      className="item-row"
      data-row={item.kind}
      tabIndex={revealed === undefined ? undefined : -1}
    >
      <ErrorBoundary what={strings.parts.item}>
        <ItemView item={item} />
      </ErrorBoundary>
      <div className="item-tools">
        <MessageTools session={session} item={item} />
        <ItemMenu session={session} item={item} />
      </div>
    </div>
  );
});

/** Focuses the row of a revealed item, unless the focus is to stay, and unfolds the call that contains it. */
function showRevealed(row: HTMLElement, { item, keepsFocus }: RevealedItem): void {
  if (!keepsFocus) row.focus({ preventScroll: true });
  if (row.querySelector(`[data-item="${CSS.escape(item)}"]`)) return;
  row.querySelector<HTMLElement>(".card-head[aria-expanded=false]")?.click();
}

function EmptyConversation({ loading }: { loading: boolean }) {
  return <p className="pt-[20vh] text-center text-dim">{loading ? text.loading : text.empty}</p>;
}

/** Loads older items while they are wanted. Returns whether it is loading. */
function useOlderItems(handle: SessionHandle, wanted: boolean, count: number): boolean {
  const { toasts } = useAppContext();
  const loading = useRef(false);
  const [shown, setShown] = useState(false);
  const load = useCallback(async () => {
    if (loading.current) return;
    loading.current = true;
    setShown(true);
    try {
      await handle.watch.loadOlder();
    } catch (failure) {
      toasts.showError(text.couldNotLoadOlder, failure);
    } finally {
      loading.current = false;
      setShown(false);
    }
  }, [handle, toasts]);
  useEffect(() => {
    if (wanted) void load();
  }, [wanted, count, load]);
  return shown;
}
