import type { Session } from "@signalbox/client";
import { progressOf } from "../../board/groups.ts";
import { LiveOutput } from "../../items/parts/live-output.tsx";
import { type Talk, usePrintsOf } from "../../store/use-conversation.ts";
import { SessionItems } from "../items-world.tsx";

const marks: Readonly<Record<string, { sign: string; word: string }>> = {
  completed: { sign: "✓", word: "done" },
  in_progress: { sign: "●", word: "being done" },
  pending: { sign: "○", word: "to do" },
};

interface Props {
  readonly session: Session;
  readonly talk: Talk | undefined;
}

/** The todo list, and what runs in the background with what it prints. */
export function TasksPanel({ session, talk }: Props) {
  const { todos, tasks } = session.summary;
  const { done, all } = progressOf(todos);
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
        {tasks.length === 0 && <p className="text-small text-dim">Nothing.</p>}
        <ul className="flex flex-col gap-3">
          {tasks.map(({ taskId, description }) => (
            <li key={taskId} data-task={taskId}>
              <div className="flex gap-2">
                <span className="text-working" role="img" aria-label="running">
                  ●
                </span>
                <span className="min-w-0 wrap-anywhere">{description ?? taskId}</span>
              </div>
              {talk && <Prints session={session.id} talk={talk} task={taskId} />}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** What a command prints; of other work, and of what was begun further up than is here, nothing is shown. */
function Prints({ session, talk, task }: { session: string; talk: Talk; task: string }) {
  const call = usePrintsOf(talk, task);
  if (call === undefined) return null;
  return (
    <SessionItems id={session} talk={talk}>
      <div className="box mt-1 overflow-hidden empty:hidden">
        <LiveOutput item={call} task={task} />
      </div>
    </SessionItems>
  );
}
