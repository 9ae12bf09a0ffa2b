import type { ItemOf } from "@signalbox/client";
import { brief, type ShownItemOf } from "../text/body.ts";
import { duration, moment } from "../text/format.ts";
import { Ago } from "../ui/time.tsx";
import { type Talk, useEndedTasks } from "../store/use-session-handle.ts";
import { reveal } from "../conversation/reveal.ts";
import { endSaid, endWords } from "./task-words.ts";

/** So many are worth a look; all of them stand in the conversation. */
const MOST = 20;

interface Props {
  readonly session: string;
  readonly talk: Talk;
  readonly onLeave: () => void;
}

/** Work that is over, and how it ended. */
export function EndedTasks({ session, talk, onLeave }: Props) {
  const ended = useEndedTasks(talk);
  if (ended.length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 font-semibold">Over</h3>
      <ul className="-mx-2 flex flex-col" aria-label="What is over">
        {ended.slice(0, MOST).map((task) => (
          <li key={task.id}>
            <button
              type="button"
              className="file-row items-start"
              title="Show it in the conversation"
              onClick={() => {
                onLeave();
                reveal(session, task.callId ?? task.id);
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

function EndedTask({ task }: { task: ItemOf<"task"> }) {
  const { description, status, summary, at, endedAt }: ShownItemOf<"task"> = task;
  const { sign, word, tone } = endWords(brief(status, 40));
  const said = endSaid(brief(summary, 400), brief(description));
  return (
    <>
      <span className={tone} aria-hidden="true">
        {sign}
      </span>
      <span className="min-w-0 grow">
        <span className="wrap-anywhere">{brief(description)}</span>
        <span className="flex flex-wrap gap-x-2 text-small text-dim">
          <span className={tone}>{word}</span>
          {at !== undefined && endedAt !== undefined && (
            <span title={`${moment(at)} to ${moment(endedAt)}`}>
              after {duration(endedAt - at)}
            </span>
          )}
          {endedAt !== undefined && <Ago at={endedAt} />}
          {said !== "" && <span className="line-clamp-2 w-full wrap-anywhere">{said}</span>}
        </span>
      </span>
    </>
  );
}
