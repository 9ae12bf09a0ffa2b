import { Inbox, LayoutGrid, PanelLeft, Search, Settings, SquarePen } from "lucide-react";
import { SIDEBAR_WIDTH, toggleSidebar } from "../frame/frame-state.ts";
import { Splitter } from "../frame/splitter.tsx";
import { Link } from "../navigation/link.tsx";
import { openNewSession, openPalette } from "../navigation/overlays.ts";
import type { PageRoute } from "../navigation/router.ts";
import { preferences, setPreferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { useMayDrive } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { ConnectionState } from "./connection-state.tsx";
import { Logo } from "../ui/logo.tsx";
import { SidebarProjects } from "./sidebar-projects.tsx";
import { WaitingBadge } from "./waiting-badge.tsx";
import { keyLabel } from "../keys/key-labels.ts";

const text = strings.frame;

/** Navigation, and every session by project. On a phone it is a page of its own. */
export function Sidebar({ route, isOver = false }: { route: PageRoute; isOver?: boolean }) {
  const { sidebarWidth } = useSignal(preferences);
  const mayDrive = useMayDrive();
  const current = (page: PageRoute["page"]) =>
    route.page === page ? ("page" as const) : undefined;
  return (
    <nav className="sidebar" data-over={isOver} aria-label={text.appName} data-role="sidebar">
      <div className="flex items-center gap-2 py-2.5 pr-3 pl-3.5">
        <Link href="/" className="flex items-center gap-2 font-semibold tracking-tight">
          <Logo />
          {text.appName}
        </Link>
        <span className="grow" />
        <IconButton
          icon={PanelLeft}
          label={text.hideSidebar}
          keys={keyLabel("sidebar")}
          onClick={toggleSidebar}
        />
      </div>
      <div className="flex flex-col gap-px px-2">
        {mayDrive && (
          <button
            type="button"
            className="button mb-1.5 justify-start bg-raised px-2"
            data-role="new-session"
            onClick={() => openNewSession()}
          >
            <SquarePen aria-hidden="true" />
            <span className="grow text-left">{text.newSession}</span>
            <span className="kbd">{keyLabel("new-session")}</span>
          </button>
        )}
        <button type="button" className="nav-row" data-role="commands" onClick={openPalette}>
          <Search aria-hidden="true" />
          <span className="grow text-left">{text.search}</span>
          <span className="kbd">{keyLabel("palette")}</span>
        </button>
        <Link href="/" className="nav-row" aria-current={current("board")}>
          <LayoutGrid aria-hidden="true" />
          {text.overview}
        </Link>
        <Link
          href="/inbox"
          className="nav-row"
          aria-current={current("inbox")}
          data-role="inbox-link"
        >
          <Inbox aria-hidden="true" />
          <span className="grow">{text.inbox}</span>
          <WaitingBadge />
        </Link>
      </div>
      <div className="min-h-0 grow overflow-y-auto px-2 pb-3" data-role="session-list">
        <SidebarProjects current={route.page === "session" ? route.session : undefined} />
      </div>
      <div className="flex items-center gap-2 border-t border-line py-1.5 pr-2 pl-3.5 text-control text-dim">
        <ConnectionState />
        <span className="grow" />
        <Link
          href="/settings"
          className="button button-ghost button-icon"
          aria-label={text.settings}
          data-tip={text.settings}
          aria-current={current("settings")}
        >
          <Settings aria-hidden="true" />
        </Link>
      </div>
      <Splitter
        label={text.resizeSidebar}
        width={sidebarWidth}
        limits={SIDEBAR_WIDTH}
        side="end"
        onWidth={(width) => setPreferences({ sidebarWidth: width })}
      />
    </nav>
  );
}
