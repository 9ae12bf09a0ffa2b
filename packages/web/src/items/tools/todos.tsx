import { strings } from "../../strings/strings.ts";
import type { TodoInput } from "@signalbox/timeline";
import { toShortText, type MaybeCut } from "../../text/body.ts";
import { useItemServices } from "../parts/items-context.tsx";
import { Prose } from "../parts/prose.tsx";
import { lookup } from "../../text/lookup.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

/** The to-do list after this call. */
export function ManageTodosView({ item, payload }: ToolProps<"manage_todos">) {
  const items = payload.output?.items ?? payload.items;
  const listed = items.filter(({ description }) => toShortText(description) !== "");
  const done = listed.filter(({ status }) => status === "completed").length;
  const { useTodo } = useItemServices();
  const number = toShortText(items[0]?.id, 20);
  const about = useTodo?.(number);
  const changed = payload.operation === "update" ? describeTodoChange(items[0], about) : undefined;
  return (
    <ToolCard
      item={item}
      name={changed || listed.length > 0 ? strings.tools.todo : toShortText(item.name, 60)}
      title={listed.length > 0 ? describeTodos(listed) : (changed ?? toShortText(item.title))}
      mono={changed === undefined && listed.length === 0}
      meta={
        listed.length > 1 ? (
          <span>{strings.tools.todosDone(done, listed.length)}</span>
        ) : (
          changed !== undefined && about !== undefined && <span>#{number}</span>
        )
      }
    >
      {listed.length > 0 && <TodoList items={listed} />}
    </ToolCard>
  );
}

/** The to-do that is worked on, or otherwise the last one that is done. */
function describeTodos(todos: readonly MaybeCut<TodoInput>[]): string {
  const current =
    todos.find(({ status }) => status === "in_progress") ??
    todos.findLast(({ status }) => status === "completed") ??
    todos[0];
  if (!current) return "";
  const isActive = current.status === "in_progress";
  return toShortText(isActive ? (current.activeForm ?? current.description) : current.description);
}

/** Such as `Run the tests: done`, or `#2: done` if its description is not known. */
function describeTodoChange(
  todo: MaybeCut<TodoInput> | undefined,
  about: string | undefined,
): string | undefined {
  if (todo?.id === undefined || toShortText(todo.status) === "") return undefined;
  const status = toShortText(todo.status, 20);
  return `${about ?? `#${toShortText(todo.id, 20)}`}: ${lookup(statusLabels, status) ?? status}`;
}

function TodoList({ items }: { items: readonly MaybeCut<TodoInput>[] }) {
  return (
    <ul className="todos">
      {items.map((todo, at) => (
        <li key={at} data-status={toShortText(todo.status, 20)}>
          <TodoMark status={toShortText(todo.status, 20)} />
          <span>
            {toShortText(
              todo.status === "in_progress"
                ? (todo.activeForm ?? todo.description)
                : todo.description,
            )}
            {todo.owner !== undefined && (
              <span className="text-dim"> · {toShortText(todo.owner, 40)}</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

const statusLabels: Readonly<Record<string, string>> = {
  pending: strings.tools.todoStatus.pending,
  in_progress: strings.tools.todoStatus.inProgress,
  completed: strings.tools.todoStatus.completed,
};

function TodoMark({ status }: { status: string }) {
  return (
    <svg
      viewBox="0 0 12 12"
      className="size-3 shrink-0"
      role="img"
      aria-label={lookup(statusLabels, status) ?? status}
    >
      <rect x="1" y="1" width="10" height="10" rx="2" fill="none" stroke="currentColor" />
      {status === "completed" && (
        <path d="M3 6.2 5.2 8.4 9 3.8" fill="none" stroke="currentColor" strokeWidth="1.5" />
      )}
      {status === "in_progress" && (
        <rect x="3.5" y="3.5" width="5" height="5" fill="currentColor" />
      )}
    </svg>
  );
}

/** A new to-do. */
export function CreateTaskView({ item, payload }: ToolProps<"create_task">) {
  const { description, output } = payload;
  return (
    <ToolCard
      item={item}
      name={strings.tools.todo}
      title={toShortText(payload.title)}
      mono={false}
      meta={output?.id !== undefined && <span>#{output.id}</span>}
    >
      {description !== undefined && (
        <div className="card-section">
          <Prose body={description} />
        </div>
      )}
    </ToolCard>
  );
}
