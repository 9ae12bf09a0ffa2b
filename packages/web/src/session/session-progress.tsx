import { Progress } from "../ui/progress.tsx";
import { type Talk, useCatchingUp, useTalkState } from "../store/use-session-handle.ts";
import { useLink, useSession } from "../store/use-hub.ts";
import { progressOf } from "./session-work.ts";

/** Under the head of a session: what one waits for. */
export function SessionProgress({ id, talk }: { id: string; talk: Talk }) {
  const session = useSession(id);
  const catchingUp = useCatchingUp(talk);
  const work = progressOf({ talk: useTalkState(talk), link: useLink().kind, catchingUp, session });
  return work && <Progress key={work.label} {...work} />;
}
