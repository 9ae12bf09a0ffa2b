import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { foldTodos, type TodoRow } from "./todo-rows.ts";
import { foldTurns, runsInBackground, type TurnRows } from "./turn-rows.ts";

interface TurnRowsState extends TurnRows {
  readonly todos: ReadonlyMap<string, TodoRow>;
  /** Whether the work of a turn, or a row of to-do changes, is unfolded. */
  readonly isWorkOpen: (turnEnd: string) => boolean;
  readonly toggleWork: (turnEnd: string) => void;
  /** Unfolds the work that contains an item. */
  readonly openWork: (item: string) => void;
}

/** The rows of a conversation, with the work of finished turns folded until the person opens it. */
export function useTurnRows({ watch, tree }: SessionHandle, ids: readonly string[]): TurnRowsState {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const isWorkOpen = useCallback((turnEnd: string) => opened.has(turnEnd), [opened]);
  const find = useCallback((id: string) => watch.view.item(id), [watch]);
  // What ran in the background while it was shown does not disappear when it ends.
  const ranInBackground = useRef<Set<string>>(new Set());
  const folded = useMemo(() => {
    const turns = foldTurns(ids, find, isWorkOpen, (id) => ranInBackground.current.has(id));
    return { ...turns, ...foldTodos(turns.rows, find, isWorkOpen) };
  }, [ids, find, isWorkOpen]);
  useEffect(() => {
    for (const id of folded.rows) {
      const item = find(id);
      if (item && runsInBackground(item)) ranInBackground.current.add(id);
    }
  }, [folded, find]);
  const toggleWork = useCallback(
    (turnEnd: string) =>
      setOpened((before) => {
        const next = new Set(before);
        if (!next.delete(turnEnd)) next.add(turnEnd);
        return next;
      }),
    [],
  );
  const openWork = useCallback(
    (item: string) => {
      const { work } = foldTurns(tree.rows, find, () => false);
      const row = [...work.values()].find(({ items }) => items.includes(item));
      const unfolded = foldTurns(tree.rows, find, () => true).rows;
      const { todos } = foldTodos(unfolded, find, () => false);
      const [key] = [...todos].find(([, { items }]) => items.includes(item)) ?? [];
      const toOpen = [row?.turnEnd, key].filter((one) => one !== undefined);
      if (toOpen.length > 0) setOpened((before) => new Set([...before, ...toOpen]));
    },
    [tree, find],
  );
  return { ...folded, isWorkOpen, toggleWork, openWork };
}
