import type { Session } from "@signalbox/client";
import { useAppContext } from "../store/app-context.tsx";
import { useMayDrive } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { ElapsedTime } from "../ui/time.tsx";

const text = strings.session;

/** Why the agent is not running or not responding, and what can be done. */
export function SessionProblem({ session }: { session: Session }) {
  const { client, toasts } = useAppContext();
  const mayDrive = useMayDrive();
  const { id, state, problem, summary, dialled } = session;
  // The end of the turn says what happened; here it is not repeated.
  const isInConversation = state === "crashed" && summary.lastTurn === "crashed";
  if (problem !== undefined || state === "crashed" || state === "unreachable") {
    const attempt = (work: Promise<unknown>, failed: string) =>
      void work.catch((failure: unknown) => toasts.showError(failed, failure));
    return (
      <div className="banner banner-failed" role="status">
        <p className="min-w-0 grow">
          {isInConversation ? text.processEnded : (problem ?? text.processEnded)}
        </p>
        {state === "crashed" && mayDrive && (
          <>
            <button
              type="button"
              className="button"
              onClick={() => attempt(client.wake(id), text.couldNotStart)}
            >
              {text.restart}
            </button>
            <button
              type="button"
              className="button"
              onClick={() => attempt(client.retry(id), text.couldNotRetry)}
            >
              {text.retry}
            </button>
          </>
        )}
      </div>
    );
  }
  if (state === "running" && dialled?.connected === false) {
    return (
      <p className="banner" role="status">
        <span>
          {text.dialedAgentAway} <ElapsedTime since={dialled.since} /> {text.dialedAgentAwayEnd}
        </span>
      </p>
    );
  }
  return null;
}
