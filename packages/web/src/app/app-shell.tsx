import { type CSSProperties, lazy, Suspense, useEffect } from "react";
import { applyTheme, preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { useLink, useMayDrive } from "../store/use-hub.ts";
import { Unpaired } from "../pair/unpaired.tsx";
import { useFocusOnNavigation } from "../navigation/focus.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { pendingConfirmation } from "../navigation/confirm.ts";
import { PHONE_PX, SIDEBAR_BESIDE_PX, sidebarSheet } from "../frame/frame-state.ts";
import { Sheet } from "../frame/sheet.tsx";
import { useMedia } from "../frame/use-media.ts";
import { BottomBar } from "../sidebar/bottom-bar.tsx";
import { ConnectionState } from "../sidebar/connection-state.tsx";
import { SessionsPage } from "../sidebar/sessions-page.tsx";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { strings } from "../strings/strings.ts";
import { HubProblem } from "./hub-problem.tsx";
import { preloaded } from "../ui/preloaded.tsx";
import { usePreload } from "../ui/use-preload.ts";
import { fetchMenus } from "../ui/menu-button.tsx";
import { Link } from "../navigation/link.tsx";
import { type Overlay, closeOverlay, overlay } from "../navigation/overlays.ts";
import { Progress, LoadingMessage } from "../ui/progress.tsx";
import { type PageRoute, useRoute } from "../navigation/router.ts";
import { TooltipLayer } from "../ui/tooltip-layer.tsx";
import { StorageProblem } from "./storage-problem.tsx";
import { ToastList } from "./toast-list.tsx";
import { useTabStatus } from "./use-tab-status.ts";
import { useKeys } from "./use-keys.ts";

const overview = preloaded(async () => ({
  default: (await import("../overview/overview.tsx")).Overview,
}));
const inbox = preloaded(async () => ({ default: (await import("../inbox/inbox.tsx")).Inbox }));
const Overview = overview.View;
const Inbox = inbox.View;
const SessionPage = lazy(() => import("../session/session-page.tsx"));
const Settings = lazy(() => import("../settings/settings.tsx"));
const UnsentPage = lazy(() => import("../unsent/unsent-page.tsx"));
const newSession = preloaded(() => import("../new-session/new-session-page.tsx"));
const palette = preloaded(() => import("../palette/palette.tsx"));
const help = preloaded(() => import("../keys/help.tsx"));
const sessionMenu = () => import("../session-menu/session-menu-popup.tsx");
const NewSessionPage = newSession.View;
const Palette = palette.View;
const Help = help.View;
const RewindDialog = lazy(() => import("../session/rewind-dialog.tsx"));
const RenameDialog = lazy(() => import("../session-menu/rename-dialog.tsx"));
const BranchesDialog = lazy(() => import("../branches/branches-dialog.tsx"));
const ExportDialog = lazy(() => import("../export/export-dialog.tsx"));
const WorktreeDialog = lazy(() => import("../session-menu/worktree-dialog.tsx"));
const ConnectDialog = lazy(() => import("../connect/connect-dialog.tsx"));
const ConfirmDialog = lazy(() => import("../ui/confirm-dialog.tsx"));

/** The whole page: sidebar, the current route, the open dialog and the toasts. */
export function AppShell() {
  const route = useRoute();
  const link = useLink();
  const { theme, sidebarOpen, sidebarWidth, panelWidth } = useSignal(preferences);
  const isSidebarBeside = useMedia(`(width >= ${SIDEBAR_BESIDE_PX}px)`);
  const isPhone = useMedia(`(width < ${PHONE_PX}px)`);
  const isSheetOpen = useSignal(sidebarSheet);
  useKeys(route, useMayDrive());
  useTabStatus(route);
  useEffect(applyTheme, [theme]);
  usePreload(link.kind === "live", preloadParts);
  const path = JSON.stringify(route);
  // The list of settings stays as it is, with its search, while one section follows another.
  const page = route.page === "settings" ? route.page : path;
  useEffect(() => sidebarSheet.set(false), [path, isSidebarBeside]);
  const main = useFocusOnNavigation(path);
  if (link.kind === "refused") return <Unpaired why={link.why} />;
  const isAway = link.kind === "offline" || link.kind === "unresponsive";
  const isSidebarShown = isSidebarBeside && sidebarOpen;
  const widths = { "--sidebar-width": `${sidebarWidth}px`, "--panel-width": `${panelWidth}px` };
  return (
    <div className="app-frame" style={widths as CSSProperties} data-link={link.kind}>
      {isSidebarShown && <Sidebar route={route} />}
      {!isSidebarBeside && !isPhone && isSheetOpen && (
        <Sheet label={strings.frame.sessions} onClose={() => sidebarSheet.set(false)}>
          <Sidebar route={route} isOver />
        </Sheet>
      )}
      <div className="main-column">
        {link.kind === "catching-up" && route.page !== "session" && (
          <Progress label={strings.frame.catchingUp} />
        )}
        <HubProblem />
        {/* Says it once; the visible text counts the seconds and would be read out again and again. */}
        <p className="sr-only" role="status">
          {link.kind === "offline" && strings.frame.offline}
          {link.kind === "unresponsive" && strings.frame.unresponsive}
        </p>
        {isAway && !isSidebarShown && route.page !== "sessions" && (
          <div className="banner banner-failed">
            <ConnectionState />
          </div>
        )}
        <StorageProblem />
        <main ref={main} tabIndex={-1} className="flex min-h-0 grow flex-col outline-none">
          <ErrorBoundary key={page} what={strings.parts.page}>
            <Suspense fallback={<LoadingMessage text={strings.frame.opening} />}>
              <PageView route={route} />
            </Suspense>
          </ErrorBoundary>
        </main>
        {isPhone && route.page !== "session" && <BottomBar route={route} />}
      </div>
      <Overlays route={route} />
      <TooltipLayer />
      <ToastList />
    </div>
  );
}

/** Loads what keys open, so that the next key already reaches it. */
function preloadParts(): void {
  const parts = [overview, inbox, newSession, palette, help];
  void Promise.allSettled([...parts.map(({ fetch }) => fetch()), fetchMenus(), sessionMenu()]);
}

function PageView({ route }: { route: PageRoute }) {
  switch (route.page) {
    case "board":
    case "pair":
      return <Overview />;
    case "inbox":
      return <Inbox />;
    case "new":
      return <NewSessionPage />;
    case "sessions":
      return <SessionsPage route={route} />;
    case "session":
      return (
        <SessionPage
          key={route.session}
          id={route.session}
          terminal={route.terminal}
          view={route.view}
        />
      );
    case "settings":
      return <Settings section={route.section} />;
    case "unsent":
      return <UnsentPage />;
    case "nowhere":
      return (
        <p className="p-6">
          {strings.frame.notFound(route.path)}{" "}
          <Link href="/" className="link">
            {strings.frame.backToOverview}
          </Link>
        </p>
      );
    default:
      return route satisfies never;
  }
}

function OverlayFallback() {
  return (
    <div className="fixed inset-x-0 top-0 z-20">
      <Progress label={strings.parts.openingDialog} />
    </div>
  );
}

function Overlays({ route }: { route: PageRoute }) {
  const over = useSignal(overlay);
  const asked = useSignal(pendingConfirmation);
  if (!over && !asked) return null;
  // An open dialog renders the confirmation itself: two independent dialogs would both take the keyboard.
  return (
    <ErrorBoundary key={over?.kind} what={strings.parts.dialog} isFloating>
      <Suspense fallback={<OverlayFallback />}>
        {over ? <OpenOverlay route={route} over={over} /> : <ConfirmDialog />}
      </Suspense>
    </ErrorBoundary>
  );
}

function OpenOverlay({ route, over }: { route: PageRoute; over: Overlay }) {
  return (
    <>
      {over.kind === "palette" && <Palette route={route} onClose={closeOverlay} />}
      {over.kind === "help" && <Help onClose={closeOverlay} />}
      {over.kind === "connect" && <ConnectDialog onClose={closeOverlay} />}
      {over.kind === "branches" && <BranchesDialog session={over.session} onClose={closeOverlay} />}
      {over.kind === "export" && <ExportDialog session={over.session} onClose={closeOverlay} />}
      {over.kind === "rename" && <RenameDialog session={over.session} onClose={closeOverlay} />}
      {over.kind === "worktree" && <WorktreeDialog {...over} onClose={closeOverlay} />}
      {over.kind === "rewind" && (
        <RewindDialog session={over.session} message={over.message} onClose={closeOverlay} />
      )}
    </>
  );
}
