import { RelativeTime, ElapsedTime } from "../ui/time.tsx";
import { toHubTime } from "../store/clock.ts";
import { useBoard, useLink } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { countUnsent } from "../store/unsent.ts";
import { useUnsentContent } from "../store/use-unsent.ts";
import { LampView } from "../ui/lamp-view.tsx";
import { Link } from "../navigation/link.tsx";

const FULL_WIDTH_ON_PHONE = "max-sm:order-last max-sm:w-full";

/** The state of the connection to the hub, in the top bar. */
export function ConnectionState() {
  const { client } = useAppContext();
  const link = useLink();
  const unsent = countUnsent(useUnsentContent());
  const waits = unsent > 0 && (
    <>
      {" · "}
      <Link href="/unsent" data-role="unsent-link">
        {unsent} unsent
      </Link>
    </>
  );
  switch (link.kind) {
    case "live":
      return (
        <span
          className={`text-small whitespace-nowrap text-dim ${unsent > 0 ? FULL_WIDTH_ON_PHONE : ""}`}
          data-link="live"
        >
          live{waits}
        </span>
      );
    case "connecting":
    case "catching-up": {
      const word = link.kind === "connecting" ? "connecting" : "catching up";
      const lamp = { kind: "catching-up", word } as const;
      return (
        <span className="flex gap-1 text-small text-dim" data-link={link.kind}>
          <span className="max-sm:hidden">
            <LampView lamp={lamp} />
          </span>
          <span className="sm:hidden">
            <LampView lamp={lamp} quiet />
          </span>
        </span>
      );
    }
    case "offline":
      return (
        <span
          className={`flex items-center justify-end gap-2 text-small whitespace-nowrap text-failed ${FULL_WIDTH_ON_PHONE}`}
          data-link="offline"
        >
          <span>
            <OfflineDuration since={link.since} />
            {waits}
          </span>
          <button type="button" className="button" onClick={() => client.goLive()}>
            Try now
          </button>
        </span>
      );
    case "refused":
    case "closed":
      return (
        <span className="text-small text-failed" data-link={link.kind}>
          not connected
        </span>
      );
    default:
      return link satisfies never;
  }
}

/**
 * How long the hub has been unreachable. A page that was opened while it was counts from the last live moment
 * of an earlier page.
 */
function OfflineDuration({ since }: { since: number }) {
  const { client, lastLive } = useAppContext();
  if (client.welcome || lastLive === undefined) {
    return (
      <>
        offline for <ElapsedTime since={toHubTime(since)} />
      </>
    );
  }
  return (
    <>
      offline, last live <RelativeTime at={toHubTime(lastLive)} />
    </>
  );
}

/** A problem that the hub reports about itself, such as a full disk. */
export function HubProblem() {
  const trouble = useBoard((view) => view.trouble);
  if (trouble === undefined) return null;
  return (
    <p className="border-b border-failed bg-removed px-3 py-2" role="alert">
      {trouble}
    </p>
  );
}
