import { isBusy } from "@signalbox/client";
import { describeActivity } from "../session-info/describe-activity.ts";
import { useSeconds } from "../store/clock.ts";
import { useLive, useSession } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { Lamp } from "../style/lamp.tsx";
import { inert } from "../text/visible.ts";

/** What the agent is doing, below the conversation while a turn runs. */
export function WorkingLine({ id }: { id: string }) {
  const session = useSession(id);
  const live = useLive();
  const isWorking = session !== undefined && live && isBusy(session) && session.openAsks === 0;
  const now = useSeconds(isWorking);
  if (!isWorking) return null;
  const activity = describeActivity(session, now);
  return (
    <p
      className="item-row flex h-9 items-center gap-2.5 pb-3 text-control text-dim"
      data-role="working-line"
    >
      <Lamp state="working" word="" />
      <span className="min-w-0 truncate">
        {activity === "" ? strings.conversation.working : inert(activity)}
      </span>
    </p>
  );
}
