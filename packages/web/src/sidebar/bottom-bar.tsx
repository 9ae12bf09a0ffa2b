import { Inbox, LayoutGrid, List, SquarePen } from "lucide-react";
import { Link } from "../navigation/link.tsx";
import { openNewSession } from "../navigation/overlays.ts";
import type { PageRoute } from "../navigation/router.ts";
import { useMayDrive } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { WaitingBadge } from "./waiting-badge.tsx";

const text = strings.frame;

/** The destinations of a phone, in reach of a thumb. */
export function BottomBar({ route }: { route: PageRoute }) {
  const mayDrive = useMayDrive();
  const current = (page: PageRoute["page"]) =>
    route.page === page ? ("page" as const) : undefined;
  return (
    <nav className="bottom-bar" aria-label={text.appName}>
      <Link href="/" aria-current={current("board")}>
        <LayoutGrid aria-hidden="true" />
        {text.overview}
      </Link>
      <Link href="/inbox" aria-current={current("inbox")} data-role="inbox-link">
        <Inbox aria-hidden="true" />
        <WaitingBadge />
        {text.inbox}
      </Link>
      <Link href="/sessions" aria-current={current("sessions")}>
        <List aria-hidden="true" />
        {text.sessions}
      </Link>
      {mayDrive && (
        <button
          type="button"
          data-role="new-session"
          aria-label={text.newSession}
          onClick={() => openNewSession()}
        >
          <SquarePen aria-hidden="true" />
          {text.newShort}
        </button>
      )}
    </nav>
  );
}
