import { ChevronLeft, PanelLeft } from "lucide-react";
import type { ReactNode } from "react";
import { go } from "../navigation/router.ts";
import { preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { strings } from "../strings/strings.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { PHONE_PX, SIDEBAR_BESIDE_PX, toggleSidebar } from "./frame-state.ts";
import { useMedia } from "./use-media.ts";
import { keyLabel } from "../keys/key-labels.ts";

interface Props {
  readonly title: string;
  /** Where the back button of a phone leads to; without it there is none. */
  readonly backTo?: string;
  /**
   * A `bar` is a line above the page. A `large` title stands above the content, over its full width or over the
   * reading `column`. A `hidden` one is for screen readers, where the content has a heading of its own. Phones
   * show all of them alike.
   */
  readonly look?: keyof typeof looks;
  /** Buttons at the end. */
  readonly children?: ReactNode;
}

/** The header of a page that is not a session. */
export function PageHeader({ title, backTo, look = "bar", children }: Props) {
  return (
    <header className={`page-head max-md:border-transparent ${looks[look].header}`}>
      <HeaderStart {...(backTo !== undefined && { backTo })} />
      <h1
        className={`min-w-0 grow truncate tracking-tight max-md:text-title max-md:font-semibold ${looks[look].title}`}
        tabIndex={-1}
        data-home=""
      >
        {title}
      </h1>
      {children}
    </header>
  );
}

const looks = {
  bar: { header: "", title: "text-body font-strong" },
  large: { header: "page-head-large", title: "text-title font-semibold" },
  column: { header: "page-head-large page-head-column", title: "text-title font-semibold" },
  hidden: { header: "page-head-quiet", title: "text-body font-strong md:sr-only" },
} as const;

/** What is at the start of every header: the way back on a phone, and the sidebar's button while it is folded. */
export function HeaderStart({ backTo }: { backTo?: string }) {
  const { sidebarOpen } = useSignal(preferences);
  const isPhone = useMedia(`(width < ${PHONE_PX}px)`);
  const isSidebarBeside = useMedia(`(width >= ${SIDEBAR_BESIDE_PX}px)`);
  if (isPhone) {
    if (backTo === undefined) return <span />;
    return <IconButton icon={ChevronLeft} label={strings.frame.back} onClick={() => go(backTo)} />;
  }
  if (isSidebarBeside && sidebarOpen) return null;
  return (
    <IconButton
      icon={PanelLeft}
      label={strings.frame.showSidebar}
      keys={keyLabel("sidebar")}
      className="-ml-1.5"
      onClick={toggleSidebar}
    />
  );
}
