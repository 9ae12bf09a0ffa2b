import { isBusy } from "@signalbox/client";
import { describeActivity } from "../session-info/describe-activity.ts";
import { useSeconds } from "../store/clock.ts";
import { useLive, useSession } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { Lamp } from "../style/lamp.tsx";
import { type SessionHandle, useWatchValue } from "../store/use-session-handle.ts";
import { formatWorkDuration } from "../text/format.ts";
import { inert } from "../text/visible.ts";

const text = strings.conversation;

/** A shorter time says nothing. */
const MIN_SHOWN_MS = 2000;

/** What the agent is doing and for how long, below the conversation while a turn runs. */
export function WorkingLine(props: {
  id: string;
  handle: SessionHandle;
  /** Whether the list is at its end: then the line does not move with the text that grows above it. */
  isStuck: boolean;
}) {
  const { id, handle, isStuck } = props;
  const session = useSession(id);
  const live = useLive();
  const isWorking = session !== undefined && live && isBusy(session) && session.openAsks === 0;
  const now = useSeconds(isWorking);
  const since = useWatchValue(handle, () => handle.tree.turnStart());
  if (!isWorking) return null;
  const activity = describeActivity(session, now);
  return (
    <p
      className={`item-row flex h-9 items-center gap-2.5 pb-3 text-control text-dim ${isStuck ? "is-stuck" : ""}`}
      data-role="working-line"
    >
      <Lamp state="working" word="" />
      <span className="min-w-0 truncate">{activity === "" ? text.working : inert(activity)}</span>
      {since !== undefined && now - since >= MIN_SHOWN_MS && (
        <span className="shrink-0 text-small text-faint tabular-nums">
          {formatWorkDuration(now - since)}
        </span>
      )}
      {session.silentSince !== undefined && (
        <span className="min-w-0 truncate text-small text-faint" data-tip={text.silentHint}>
          {text.silent(formatWorkDuration(now - session.silentSince))}
        </span>
      )}
    </p>
  );
}
