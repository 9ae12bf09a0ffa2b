import type { ItemOfKind } from "@signalbox/client";
import { toShortText, type DisplayItemOfKind } from "../text/body.ts";
import { formatDuration, formatDateTime } from "../text/format.ts";
import { RelativeTime } from "../ui/time.tsx";
import { type SessionHandle, useEndedTasks } from "../store/use-session-handle.ts";
import { revealItem } from "../conversation/reveal.ts";
import { summarizeTaskEnd, describeTaskEnd } from "./task-labels.ts";
import { strings } from "../strings/strings.ts";

const text = strings.panels.tasks;

/** The number of tasks shown; all are in the conversation. */
const MAX_SHOWN = 20;

interface Props {
  readonly session: string;
  readonly handle: SessionHandle;
  readonly onLeave: () => void;
}

/** Background tasks that have ended. */
export function EndedTasks({ session, handle, onLeave }: Props) {
  const ended = useEndedTasks(handle);
  if (ended.length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 font-semibold">{text.finished}</h3>
      <ul className="-mx-2 flex flex-col" aria-label={text.finished}>
        {ended.slice(0, MAX_SHOWN).map((task) => (
          <li key={task.id}>
            <button
              type="button"
              className="file-row items-start"
              data-tip={text.show}
              onClick={() => {
                onLeave();
                revealItem(session, task.callId ?? task.id);
              }}
            >
              <EndedTask task={task} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function EndedTask({ task }: { task: ItemOfKind<"task"> }) {
  const { description, status, summary, at, endedAt }: DisplayItemOfKind<"task"> = task;
  const { sign, label, tone } = describeTaskEnd(toShortText(status, 40));
  const taskSummary = summarizeTaskEnd(toShortText(summary, 400), toShortText(description));
  return (
    <>
      <span className={tone} aria-hidden="true">
        {sign}
      </span>
      <span className="min-w-0 grow">
        <span className="wrap-anywhere">{toShortText(description)}</span>
        <span className="flex flex-wrap gap-x-2 text-small text-dim">
          <span className={tone}>{label}</span>
          {at !== undefined && endedAt !== undefined && (
            <span data-tip={text.period(formatDateTime(at), formatDateTime(endedAt))}>
              {text.after(formatDuration(endedAt - at))}
            </span>
          )}
          {endedAt !== undefined && <RelativeTime at={endedAt} />}
          {taskSummary !== "" && (
            <span className="line-clamp-2 w-full wrap-anywhere">{taskSummary}</span>
          )}
        </span>
      </span>
    </>
  );
}
