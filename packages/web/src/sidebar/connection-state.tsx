import { Link } from "../navigation/link.tsx";
import { useAppContext } from "../store/app-context.tsx";
import { toHubTime } from "../store/clock.ts";
import { useMachines } from "../store/machines.ts";
import { countUnsent } from "../store/unsent.ts";
import { useLink } from "../store/use-hub.ts";
import { useUnsentContent } from "../store/use-unsent.ts";
import { strings } from "../strings/strings.ts";
import { Lamp } from "../style/lamp.tsx";
import { ElapsedTime, RelativeTime } from "../ui/time.tsx";

const text = strings.frame;

/** Whether the page is connected, how many machines are, and messages that have not been sent yet. */
export function ConnectionState() {
  const { client } = useAppContext();
  const link = useLink();
  return (
    <span className="flex min-w-0 items-center gap-2" data-role="connection">
      {link.kind === "live" && <Machines />}
      {(link.kind === "connecting" || link.kind === "catching-up") && (
        <>
          <Lamp state="catching-up" />
          {link.kind === "connecting" ? text.connecting : text.catchingUp}
        </>
      )}
      {link.kind === "unresponsive" && (
        <>
          <Lamp state="failed" word="" />
          <span className="truncate text-failed">{text.unresponsive}</span>
        </>
      )}
      {link.kind === "offline" && (
        <>
          <Lamp state="failed" word={text.offline} />
          <span className="truncate text-failed">
            <OfflineDuration since={link.since} />
          </span>
          <button
            type="button"
            className="button button-small shrink-0"
            onClick={() => client.goLive()}
          >
            {text.reconnect}
          </button>
        </>
      )}
      {(link.kind === "refused" || link.kind === "closed") && (
        <span className="text-failed">{text.notConnected}</span>
      )}
      <UnsentLink />
    </span>
  );
}

function Machines() {
  const online = useMachines().filter(({ online }) => online).length;
  return (
    <>
      <Lamp state={online > 0 ? "working" : "failed"} word="" />
      <span className="truncate">{online > 0 ? text.machinesOnline(online) : text.noMachines}</span>
    </>
  );
}

function UnsentLink() {
  const unsent = countUnsent(useUnsentContent());
  if (unsent === 0) return null;
  return (
    <Link href="/unsent" className="link shrink-0" data-role="unsent-link">
      {text.unsent(unsent)}
    </Link>
  );
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
        {text.offlineFor} <ElapsedTime since={toHubTime(since)} />
      </>
    );
  }
  return (
    <>
      {text.lastConnected} <RelativeTime at={toHubTime(lastLive)} />
    </>
  );
}
