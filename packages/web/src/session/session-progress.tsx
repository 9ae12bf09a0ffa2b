import { Progress } from "../ui/progress.tsx";
import { type SessionHandle, useCatchingUp, useViewState } from "../store/use-session-handle.ts";
import { useLink, useSession } from "../store/use-hub.ts";
import { describeSessionWork } from "./session-work.ts";

/** A progress bar below the session's header. */
export function SessionProgress({ id, handle }: { id: string; handle: SessionHandle }) {
  const session = useSession(id);
  const catchingUp = useCatchingUp(handle);
  const work = describeSessionWork({
    viewState: useViewState(handle),
    link: useLink().kind,
    catchingUp,
    session,
  });
  return work && <Progress key={work.label} {...work} />;
}
