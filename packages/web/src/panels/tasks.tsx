import type { Session } from "@signalbox/client";
import { countTodos } from "../session-info/todo-progress.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { EndedTasks } from "./ended-tasks.tsx";
import { RunningTaskView } from "./running-task.tsx";

const marks: Readonly<Record<string, { sign: string; word: string }>> = {
  completed: { sign: "✓", word: "done" },
  in_progress: { sign: "●", word: "being done" },
  pending: { sign: "○", word: "to do" },
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
        <h3 className="mb-2 font-semibold">
          To do{" "}
          {all > 0 && (
            <span className="font-mono text-small font-normal text-dim">
              {done}/{all}
            </span>
          )}
        </h3>
        {all === 0 && <p className="text-small text-dim">The agent has made no list.</p>}
        <ul className="flex flex-col gap-1">
          {todos.map(({ id, description, status }, at) => {
            const { sign, word } = marks[status] ?? { sign: "·", word: status };
            return (
              <li key={id ?? at} className="flex gap-2">
                <span
                  role="img"
                  aria-label={word}
                  className={status === "in_progress" ? "text-working" : "text-dim"}
                >
                  {sign}
                </span>
                <span className={status === "completed" ? "text-dim" : ""}>{description}</span>
              </li>
            );
          })}
        </ul>
      </section>
      <section>
        <h3 className="mb-2 font-semibold">In the background</h3>
        {tasks.length === 0 && <p className="text-small text-dim">Nothing goes on.</p>}
        <ul className="flex flex-col gap-2" aria-label="What goes on in the background">
          {tasks.map((task) => (
            <RunningTaskView key={task.taskId} {...{ session, handle, task, onLeave }} />
          ))}
        </ul>
      </section>
      {handle && <EndedTasks session={session.id} handle={handle} onLeave={onLeave} />}
    </div>
  );
}
