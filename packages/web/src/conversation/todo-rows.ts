import type { Item } from "@signalbox/client";

/** Consecutive changes of the to-do list, folded into one row. */
export interface TodoRow {
  /** The calls that changed the list, in their order. */
  readonly items: readonly string[];
}

interface FoldedTodos {
  readonly rows: readonly string[];
  readonly todos: ReadonlyMap<string, TodoRow>;
}

/** The key of the row that folds the changes from this call on. */
export const todosKey = (first: string) => `todos:${first}`;

/**
 * Folds calls in a row that only change the to-do list, because the panel shows the list itself. `rows` are the
 * ids of items and the keys of other rows.
 */
export function foldTodos(
  rows: readonly string[],
  find: (id: string) => Item | undefined,
  isOpen: (key: string) => boolean,
): FoldedTodos {
  const folded: string[] = [];
  const todos = new Map<string, TodoRow>();
  let run: string[] = [];
  const flush = () => {
    const [first] = run;
    if (first === undefined) return;
    if (run.length === 1) {
      folded.push(first);
    } else {
      const key = todosKey(first);
      todos.set(key, { items: run });
      folded.push(key);
      if (isOpen(key)) folded.push(...run);
    }
    run = [];
  };
  for (const id of rows) {
    if (changesTodos(find(id))) {
      run.push(id);
      continue;
    }
    flush();
    folded.push(id);
  }
  flush();
  return { rows: folded, todos };
}

/** A call that changed the list and has nothing else to show, such as an error or a request. */
function changesTodos(item: Item | undefined): boolean {
  if (item?.kind !== "tool" || item.mark !== undefined) return false;
  const { payload, status } = item;
  if (status !== "complete" && status !== "running") return false;
  if (payload?.error !== undefined) return false;
  return payload?.kind === "create_task" || payload?.kind === "manage_todos";
}

/** What a run of changes did: how many to-dos were added and done, and the last one they were about. */
export interface TodoChanges {
  readonly added: number;
  readonly done: number;
  readonly last: string | undefined;
}

/** Adds up changes of the to-do list. `describe` gives the text of a to-do by its number. */
export function sumUpTodos(
  items: readonly Item[],
  describe: (id: string) => string | undefined,
): TodoChanges {
  let added = 0;
  let done = 0;
  let last: string | undefined;
  for (const item of items) {
    const payload = item.kind === "tool" ? item.payload : undefined;
    if (payload?.kind === "create_task") {
      added += 1;
      last = payload.title;
      continue;
    }
    if (payload?.kind !== "manage_todos") continue;
    const list = payload.output?.items ?? payload.items;
    if (payload.operation === "update") {
      const [todo] = payload.items;
      if (todo?.status === "completed") done += 1;
      last = (todo?.id === undefined ? undefined : describe(todo.id)) ?? last;
    } else if (payload.operation === "write") {
      done = list.filter(({ status }) => status === "completed").length;
      added = list.length;
      last = list.find(({ status }) => status === "in_progress")?.description ?? last;
    }
  }
  return { added, done, last };
}
