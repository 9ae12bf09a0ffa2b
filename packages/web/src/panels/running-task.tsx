import type { Session } from "@signalbox/client";
import { useState } from "react";
import { Lamp } from "../style/lamp.tsx";
import { toShortText } from "../text/body.ts";
import { LiveOutput } from "../items/parts/live-output.tsx";
import { formatTokens } from "../text/format.ts";
import { ElapsedTime } from "../ui/time.tsx";
import { type SessionHandle, useItem, useOutputCall } from "../store/use-session-handle.ts";
import { useMayDrive } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { SessionItems } from "../conversation/session-items.tsx";
import { revealItem } from "../conversation/reveal.ts";
import { taskKindLabel, joinProgress } from "./task-labels.ts";
import { strings } from "../strings/strings.ts";

const text = strings.panels.tasks;

type Task = Session["summary"]["tasks"][number];

interface Props {
  readonly session: Session;
  readonly handle: SessionHandle | undefined;
  readonly task: Task;
  readonly onLeave: () => void;
}

/** A running background task: its duration, its output, and a button to stop it. */
export function RunningTaskView({ session, handle, task, onLeave }: Props) {
  const { taskId, callId, at } = task;
  const words = task.description ?? taskId;
  return (
    <li className="card" data-task={taskId}>
      <div className="flex items-start gap-2 px-3 py-2">
        <span className="grid h-4.5 place-items-center">
          <Lamp state="working" word={text.running} />
        </span>
        <div className="min-w-0 grow">
          <p className="text-control wrap-anywhere">{words}</p>
          <p className="flex flex-wrap gap-x-2 text-small text-dim">
            {taskKindLabel(task.kind)}
            {at !== undefined && (
              <span className="text-working">
                <ElapsedTime since={at} />
              </span>
            )}
            {handle && callId !== undefined && <TaskProgress handle={handle} call={callId} />}
          </p>
          {callId !== undefined && (
            <button
              type="button"
              className="quiet-button -mx-1.5"
              onClick={() => {
                onLeave();
                revealItem(session.id, callId);
              }}
            >
              {text.show}
            </button>
          )}
        </div>
        <StopTask session={session} task={taskId} words={words} />
      </div>
      {handle && <TaskOutput session={session.id} handle={handle} task={task} />}
    </li>
  );
}

/** The progress of a task, if its call is loaded. */
function TaskProgress({ handle, call }: { handle: SessionHandle; call: string }) {
  const item = useItem(handle, call);
  const work = item?.kind === "tool" ? item.background : undefined;
  const words = joinProgress([
    work?.toolUses === undefined ? undefined : text.steps(work.toolUses),
    work?.tokens === undefined ? undefined : text.tokens(formatTokens(work.tokens)),
    toShortText(work?.progress, 120),
  ]);
  return words !== "" && <span className="min-w-0 wrap-anywhere">{words}</span>;
}

/** The output of a background command. */
function TaskOutput({
  session,
  handle,
  task,
}: {
  session: string;
  handle: SessionHandle;
  task: Task;
}) {
  const here = useOutputCall(handle, task.taskId);
  // A loaded call will still report its output file. A call that is not loaded has reported it before.
  const isHere = useItem(handle, task.callId ?? "") !== undefined;
  const call = here ?? (task.kind === "local_bash" && !isHere ? task.callId : undefined);
  if (call === undefined) return null;
  return (
    <SessionItems id={session} handle={handle}>
      <div className="overflow-hidden border-t border-line empty:hidden">
        <LiveOutput item={call} task={task.taskId} />
      </div>
    </SessionItems>
  );
}

/** Stops one task, if the agent supports it. */
function StopTask({ session, task, words }: { session: Session; task: string; words: string }) {
  const { client, toasts } = useAppContext();
  const mayDrive = useMayDrive();
  const [busy, setBusy] = useState(false);
  if (!mayDrive || session.run?.capabilities["stopTasks"] !== true) return null;
  const stop = async () => {
    setBusy(true);
    try {
      await client.control(session.id, "stop_task", { task_id: task });
    } catch (failure) {
      toasts.showError(text.couldNotStop, failure);
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      className="button button-small shrink-0"
      data-role="stop-task"
      aria-label={text.stopNamed(words)}
      disabled={busy}
      onClick={() => void stop()}
    >
      {busy ? text.stopping : text.stop}
    </button>
  );
}
