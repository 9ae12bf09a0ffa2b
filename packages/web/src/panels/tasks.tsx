import { type LucideIcon, Square, SquareCheck, SquareDot } from "lucide-react";
import type { Session } from "@signalbox/client";
import { countTodos } from "../session-info/todo-progress.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { EndedTasks } from "./ended-tasks.tsx";
import { RunningSubagents } from "./running-subagents.tsx";
import { RunningTaskView } from "./running-task.tsx";
import { strings } from "../strings/strings.ts";

const text = strings.panels.tasks;

const marks: Readonly<Record<string, { icon: LucideIcon; word: string }>> = {
  completed: { icon: SquareCheck, word: text.status.completed },
  in_progress: { icon: SquareDot, word: text.status.in_progress },
  pending: { icon: Square, word: text.status.pending },
};

interface Props {
  readonly session: Session;
  readonly handle: SessionHandle | undefined;
  readonly onLeave: () => void;
}

/** The to-do list and background tasks. */
export function TasksPanel({ session, handle, onLeave }: Props) {
  const { todos, tasks } = session.summary;
  const { done, all } = countTodos(todos);
  return (
    <div className="flex flex-col gap-4">
      <section>
        <h3 className="mb-2 text-control font-strong">
          {text.todos}{" "}
          {all > 0 && (
            <span className="text-small font-normal text-dim">
              {done}/{all}
            </span>
          )}
        </h3>
        {all === 0 && <p className="text-small text-dim">{text.noTodos}</p>}
        <ul className="flex flex-col gap-2 text-control">
          {todos.map(({ id, description, status }, at) => {
            const { icon: Icon, word } = marks[status] ?? { icon: Square, word: status };
            return (
              <li key={id ?? at} className="flex gap-2">
                <span
                  role="img"
                  aria-label={word}
                  className={status === "in_progress" ? "text-working" : "text-dim"}
                >
                  <Icon aria-hidden="true" className="mt-px" />
                </span>
                <span className={status === "completed" ? "text-dim line-through" : ""}>
                  {description}
                </span>
              </li>
            );
          })}
        </ul>
      </section>
      {handle && <RunningSubagents session={session.id} handle={handle} onLeave={onLeave} />}
      <section>
        <h3 className="mb-2 text-control font-strong">{text.background}</h3>
        {tasks.length === 0 && <p className="text-small text-dim">{text.noBackground}</p>}
        <ul className="flex flex-col gap-2" aria-label={text.background}>
          {tasks.map((task) => (
            <RunningTaskView key={task.taskId} {...{ session, handle, task, onLeave }} />
          ))}
        </ul>
      </section>
      {handle && <EndedTasks session={session.id} handle={handle} onLeave={onLeave} />}
    </div>
  );
}
