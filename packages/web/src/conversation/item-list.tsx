import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useCallback, useEffect, useRef, useState } from "react";
import { ItemView } from "../items/item-view.tsx";
import { Boundary } from "../ui/boundary.tsx";
import { Progress } from "../ui/progress.tsx";
import {
  type Talk,
  useItem,
  useOlder,
  useRows,
  useTalkState,
} from "../store/use-session-handle.ts";
import { useWorld } from "../store/app-context.tsx";
import { ItemMenu } from "./item-menu.tsx";
import { SessionItems } from "./session-items.tsx";
import { SelectionMention } from "./selection-mention.tsx";
import { useFollow } from "./use-follow.ts";
import { useReveal } from "./use-reveal.ts";

const ESTIMATE = 64;
const OVERSCAN = 6;
/** So near to the start older ones are fetched. */
const OLDER_ROWS = 10;

/** The conversation. Only what is in sight is in the document; it stays at its end unless one scrolled away. */
export function ItemList({ id, talk }: { id: string; talk: Talk }) {
  const rows = useRows(talk);
  const state = useTalkState(talk);
  const older = useOlder(talk);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (at) => rows[at] ?? at,
    estimateSize: () => ESTIMATE,
    overscan: OVERSCAN,
    anchorTo: "end",
    scrollPaddingStart: 16,
    paddingStart: 16,
    paddingEnd: 16,
    gap: 8,
  });
  const total = list.getTotalSize();
  const { atEnd, toEnd, leave } = useFollow(scroller, total);
  const { scrollToIndex } = list;
  const goTo = useCallback(
    (index: number) => {
      leave();
      scrollToIndex(index, { align: "start" });
    },
    [leave, scrollToIndex],
  );
  const { found, looking } = useReveal(id, talk, rows, goTo);
  const room = total < (scroller.current?.clientHeight ?? 0);
  const nearStart = (list.range?.startIndex ?? 0) < OLDER_ROWS;
  const loadingOlder = useOlderItems(
    talk,
    older && rows.length > 0 && nearStart && (room || !atEnd),
    rows.length,
  );

  return (
    <div className="conversation-room">
      {(loadingOlder || looking) && <Progress label="Fetching older messages" />}
      <div
        ref={scroller}
        className="h-full overflow-y-auto overscroll-contain"
        tabIndex={0}
        role="log"
        aria-label="Conversation"
        aria-busy={state === "loading"}
        data-role="conversation"
      >
        {rows.length === 0 && <Empty loading={state === "loading"} />}
        <SessionItems id={id} talk={talk}>
          <div className="relative w-full" style={{ height: total }}>
            {list.getVirtualItems().map((row) => (
              <div
                key={row.key}
                ref={list.measureElement}
                data-index={row.index}
                className="absolute top-0 left-0 w-full"
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <Row
                  talk={talk}
                  session={id}
                  id={rows[row.index] ?? ""}
                  found={found?.row === rows[row.index] ? found?.item : undefined}
                />
              </div>
            ))}
          </div>
        </SessionItems>
      </div>
      <SelectionMention session={id} talk={talk} root={scroller} />
      {rows.length > 0 && !atEnd && (
        <button
          type="button"
          className="button absolute right-4 bottom-3 border-dim"
          onClick={toEnd}
        >
          ↓ To the newest
        </button>
      )}
    </div>
  );
}

const Row = memo(function Row(props: {
  talk: Talk;
  session: string;
  id: string;
  /** What was looked for and stands in this row. */
  found: string | undefined;
}) {
  const { talk, session, id, found } = props;
  const item = useItem(talk, id);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (found !== undefined && row.current) showFound(row.current, found);
  }, [found]);
  if (!item) return null;
  return (
    <div ref={row} className="item-row" tabIndex={found === undefined ? undefined : -1}>
      <Boundary what="This item">
        <ItemView item={item} />
      </Boundary>
      <ItemMenu session={session} item={item} />
    </div>
  );
});

/** Focus is put on what was looked for; inside a subagent's call that is folded, it is opened first. */
function showFound(row: HTMLElement, item: string): void {
  row.focus({ preventScroll: true });
  if (row.querySelector(`[data-item="${CSS.escape(item)}"]`)) return;
  row.querySelector<HTMLElement>(".card-head[aria-expanded=false]")?.click();
}

function Empty({ loading }: { loading: boolean }) {
  return (
    <p className="mx-auto max-w-reading p-4 text-dim">
      {loading
        ? "Fetching the conversation…"
        : "Nothing has been said yet. Write below what should be done."}
    </p>
  );
}

/** Fetches a page of older items whenever they are wanted, and again if that page was not enough. Gives whether it is at it. */
function useOlderItems(talk: Talk, wanted: boolean, count: number): boolean {
  const { toasts } = useWorld();
  const loading = useRef(false);
  const [shown, setShown] = useState(false);
  const load = useCallback(async () => {
    if (loading.current) return;
    loading.current = true;
    setShown(true);
    try {
      await talk.watch.loadOlder();
    } catch (failure) {
      toasts.fail("Older messages could not be fetched", failure);
    } finally {
      loading.current = false;
      setShown(false);
    }
  }, [talk, toasts]);
  useEffect(() => {
    if (wanted) void load();
  }, [wanted, count, load]);
  return shown;
}
