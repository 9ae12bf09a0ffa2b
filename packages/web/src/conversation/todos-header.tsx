import { ChevronRight, ListTodo } from "lucide-react";
import { memo } from "react";
import { type SessionHandle, useWatchValue } from "../store/use-session-handle.ts";
import { useSession } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { toShortText } from "../text/body.ts";
import { sumUpTodos, type TodoChanges, type TodoRow } from "./todo-rows.ts";

const text = strings.tools;

interface Props {
  readonly session: string;
  readonly handle: SessionHandle;
  readonly todos: TodoRow;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Folded changes of the to-do list: "To-dos · Run the tests · 3 added · 1 done". */
export const TodosHeader = memo(function TodosHeader(props: Props) {
  const { session, handle, todos, isOpen, onToggle } = props;
  const list = useSession(session)?.summary.todos;
  // A text, so that the row renders again only when a figure changes.
  const figures = useWatchValue(handle, () => {
    const items = todos.items.flatMap((id) => handle.watch.view.item(id) ?? []);
    return JSON.stringify(
      sumUpTodos(items, (id) => list?.find((todo) => todo.id === id)?.description),
    );
  });
  const { added, done, last } = JSON.parse(figures) as TodoChanges;
  const counts = [
    ...(added > 0 ? [text.todosAdded(added)] : []),
    ...(done > 0 ? [text.todosFinished(done)] : []),
  ];
  return (
    <section className="step-row">
      <button
        type="button"
        className="card-head"
        aria-expanded={isOpen}
        data-role="todos"
        onClick={onToggle}
      >
        <ListTodo aria-hidden="true" className="text-dim" />
        <span className="shrink-0 font-medium text-ink">{text.todos}</span>
        <span className="min-w-0 truncate text-left">{toShortText(last)}</span>
        <span className="card-end">
          <span className="card-meta">{counts.join(" · ")}</span>
          <ChevronRight
            aria-hidden="true"
            className={`card-chevron size-3.5! text-faint ${isOpen ? "rotate-90" : ""}`}
          />
        </span>
      </button>
    </section>
  );
});
