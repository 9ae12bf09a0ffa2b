import { Search, Settings } from "lucide-react";
import { PageHeader } from "../frame/page-header.tsx";
import { Link } from "../navigation/link.tsx";
import { openPalette } from "../navigation/overlays.ts";
import type { PageRoute } from "../navigation/router.ts";
import { strings } from "../strings/strings.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { ConnectionState } from "./connection-state.tsx";
import { SidebarProjects } from "./sidebar-projects.tsx";

const text = strings.frame;

/** The list of sessions as a page, for phones. */
export function SessionsPage({ route }: { route: PageRoute }) {
  return (
    <>
      <PageHeader title={text.sessions}>
        <IconButton icon={Search} label={text.search} data-role="commands" onClick={openPalette} />
        <Link
          href="/settings"
          className="button button-ghost button-icon"
          aria-label={text.settings}
        >
          <Settings aria-hidden="true" />
        </Link>
      </PageHeader>
      <div className="page-body px-2 pb-4">
        <SidebarProjects current={route.page === "session" ? route.session : undefined} />
        <div className="flex items-center px-2 pt-6 text-control text-dim">
          <ConnectionState />
        </div>
      </div>
    </>
  );
}
