import { Ago, Lasting } from "../ui/time.tsx";
import { byHubClock } from "../store/clock.ts";
import { useBoard, useLink } from "../store/use-hub.ts";
import { useWorld } from "../store/app-context.tsx";
import { countOf } from "../store/unsent.ts";
import { useNotSent } from "../store/use-unsent.ts";
import { LampView } from "../ui/lamp-view.tsx";
import { Link } from "../navigation/link.tsx";

/** On a phone the bar has no room for more than a word. */
const OWN_LINE = "max-sm:order-last max-sm:w-full";

/** How things stand with the hub, told as they are. */
export function ConnectionState() {
  const { client } = useWorld();
  const link = useLink();
  const unsent = countOf(useNotSent());
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
          className={`text-small whitespace-nowrap text-dim ${unsent > 0 ? OWN_LINE : ""}`}
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
          className={`flex items-center justify-end gap-2 text-small whitespace-nowrap text-failed ${OWN_LINE}`}
          data-link="offline"
        >
          <span>
            <OfflineFor since={link.since} />
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

/** Who opens the page while the hub is away has been without it for longer than the page is open. */
function OfflineFor({ since }: { since: number }) {
  const { client, lastLive } = useWorld();
  if (client.welcome || lastLive === undefined) {
    return (
      <>
        offline for <Lasting since={byHubClock(since)} />
      </>
    );
  }
  return (
    <>
      offline, last live <Ago at={byHubClock(lastLive)} />
    </>
  );
}

/** What keeps the hub from its work. */
export function HubTrouble() {
  const trouble = useBoard((view) => view.trouble);
  if (trouble === undefined) return null;
  return (
    <p className="border-b border-failed bg-removed px-3 py-2" role="alert">
      {trouble}
    </p>
  );
}
