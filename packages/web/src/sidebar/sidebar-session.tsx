import type { Session } from "@signalbox/client";
import { memo, useRef } from "react";
import { askSummary } from "../asks/ask-text.ts";
import { useFocusAfterRemoval } from "../navigation/focus-after-removal.ts";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { describeActivity } from "../session-info/describe-activity.ts";
import { SessionMenu } from "../session-menu/session-menu.tsx";
import { useSeconds } from "../store/clock.ts";
import { currentLamp } from "../store/lamp.ts";
import { useAsks, useLive } from "../store/use-hub.ts";
import { formatAge } from "../text/format-age.ts";
import { inert } from "../text/visible.ts";
import { ImportedMark } from "../ui/imported-mark.tsx";
import { LampView } from "../ui/lamp-view.tsx";

/** A session in the sidebar: one line, and a second one only while something happens. */
export const SidebarSession = memo(function SidebarSession(props: {
  session: Session;
  isCurrent: boolean;
}) {
  const { session, isCurrent } = props;
  const live = useLive();
  const ask = useAsks().find((one) => one.session === session.id);
  const lamp = currentLamp(session, live);
  const isBusy = lamp.kind === "working" || lamp.kind === "waiting";
  const now = useSeconds();
  const detail = ask
    ? askSummary(ask, session.folder)
    : isBusy || lamp.kind === "failed"
      ? describeActivity(session, now)
      : "";
  const title = inert(session.title);
  const row = useRef<HTMLLIElement>(null);
  useFocusAfterRemoval(row, {
    links: ".session-row-link",
    own: `[data-sidebar-session="${session.id}"] .session-row-link`,
  });
  return (
    <li
      ref={row}
      className="session-row"
      data-current={isCurrent}
      data-quiet={!isBusy && lamp.kind !== "failed"}
      data-sidebar-session={session.id}
    >
      <LampView lamp={lamp} quiet />
      <Link
        href={sessionPath(session.id)}
        className="session-row-link session-row-title truncate"
        aria-current={isCurrent ? "page" : undefined}
        data-tip={title}
      >
        {title}
      </Link>
      <span className="session-row-end text-small text-faint">
        {session.transcript?.isImported && <ImportedMark />}
        <SessionAge changedAt={ask?.openedAt ?? session.changedAt} />
      </span>
      {detail !== "" && (
        <span
          className={`session-row-detail col-start-2 col-end-4 truncate text-small text-faint ${ask?.kind === "permission" ? "as-it-runs" : ""}`}
          data-tip={inert(detail)}
        >
          {inert(detail)}
        </span>
      )}
      <span className="session-row-menu">
        <SessionMenu session={session} />
      </span>
    </li>
  );
});

function SessionAge({ changedAt }: { changedAt: number }) {
  return (
    <time dateTime={new Date(changedAt).toISOString()}>{formatAge(changedAt, useSeconds())}</time>
  );
}
