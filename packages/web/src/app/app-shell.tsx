import { lazy, Suspense, useEffect } from "react";
import { Board } from "../board/board.tsx";
import { Inbox } from "../inbox/inbox.tsx";
import { applyTheme, preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { useLink, useMayDrive, useWaiting } from "../store/use-hub.ts";
import { Unpaired } from "../pair/unpaired.tsx";
import { useFocusOnNavigation } from "../navigation/focus.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { pendingConfirmation } from "../navigation/confirm.ts";
import { ConnectionState, HubProblem } from "./connection-state.tsx";
import { preloaded } from "../ui/preloaded.tsx";
import { Link } from "../navigation/link.tsx";
import { closeOverlay, openNewSession, openPalette, overlay } from "../navigation/overlays.ts";
import { Progress, LoadingMessage } from "../ui/progress.tsx";
import { type Route, useRoute } from "../navigation/router.ts";
import { ToastList } from "./toast-list.tsx";
import { useTabStatus } from "./use-tab-status.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const SessionPage = lazy(() => import("../session/session-page.tsx"));
const Settings = lazy(() => import("../settings/settings.tsx"));
const UnsentPage = lazy(() => import("../unsent/unsent-page.tsx"));
const newSession = preloaded(() => import("../new-session/new-session.tsx"));
const palette = preloaded(() => import("../palette/palette.tsx"));
const help = preloaded(() => import("../palette/help.tsx"));
const menu = () => import("../session-menu/session-menu-popup.tsx");
const NewSession = newSession.View;
const Palette = palette.View;
const Help = help.View;
const RewindDialog = lazy(() => import("../session/rewind-dialog.tsx"));
const RenameDialog = lazy(() => import("../session-menu/rename-dialog.tsx"));
const ConnectDialog = lazy(() => import("../connect/connect-dialog.tsx"));
const ConfirmDialog = lazy(() => import("../ui/confirm-dialog.tsx"));

const PRELOAD_DELAY_MS = 1000;

/** The whole page: top bar, the current route, the open dialog and the toasts. */
export function AppShell() {
  const route = useRoute();
  const link = useLink();
  const { theme } = useSignal(preferences);
  useShortcuts(useMayDrive());
  useTabStatus(route);
  useEffect(applyTheme, [theme]);
  useEffect(preloadDialogs, []);
  const main = useFocusOnNavigation(JSON.stringify(route));
  if (link.kind === "refused") return <Unpaired why={link.why} />;
  return (
    <div className="flex h-dvh flex-col">
      <TopBar route={route} />
      {link.kind === "catching-up" && route.page !== "session" && <Progress label="Catching up" />}
      <HubProblem />
      <main
        ref={main}
        tabIndex={-1}
        className={`relative min-h-0 grow outline-none ${route.page === "session" ? "" : "overflow-y-auto"}`}
      >
        <ErrorBoundary key={JSON.stringify(route)} what="This page">
          <Suspense fallback={<LoadingMessage text="Opening…" />}>
            <PageView route={route} />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Overlays route={route} />
      <ToastList />
    </div>
  );
}

/** Loads the dialogs that shortcuts open while the page is idle, so that the next key already reaches them. */
function preloadDialogs(): () => void {
  const dialogs = [newSession, palette, help];
  const fetchAll = () => void Promise.allSettled([...dialogs.map(({ fetch }) => fetch()), menu()]);
  const timer = setTimeout(fetchAll, PRELOAD_DELAY_MS);
  return () => clearTimeout(timer);
}

function PageView({ route }: { route: Route }) {
  switch (route.page) {
    case "board":
    case "pair":
      return <Board />;
    case "inbox":
      return <Inbox />;
    case "session":
      return <SessionPage key={route.session} id={route.session} />;
    case "settings":
      return <Settings />;
    case "unsent":
      return <UnsentPage />;
    case "nowhere":
      return (
        <p className="p-4">
          There is nothing at <code>{route.path}</code>. <Link href="/">Back to the board</Link>
        </p>
      );
    default:
      return route satisfies never;
  }
}

function TopBar({ route }: { route: Route }) {
  const { count, told } = useWaiting();
  const mayDrive = useMayDrive();
  const here = (at: Route["page"]) => (route.page === at ? ("page" as const) : undefined);
  return (
    <nav className="top-bar" aria-label="Signalbox">
      <Link href="/" className="nav" aria-current={here("board")}>
        Board
      </Link>
      <Link href="/inbox" className="nav" aria-current={here("inbox")} data-role="inbox-link">
        Inbox{" "}
        {count > 0 && (
          <span
            className={`ml-1.5 rounded-full px-1.5 font-mono text-small ${told ? "bg-waiting text-on-accent" : "border border-line text-dim"}`}
            title={told ? undefined : "as it was seen last"}
          >
            {count}
            {!told && "?"}
          </span>
        )}
      </Link>
      <Link href="/settings" className="nav" aria-current={here("settings")}>
        <span className="max-[400px]:sr-only">Settings</span>
        <SettingsIcon />
      </Link>
      <span className="grow" />
      <ConnectionState />
      <button type="button" className="button" data-role="commands" onClick={openPalette}>
        <span className="max-sm:hidden">Commands</span>{" "}
        <span className="kbd max-sm:hidden">Ctrl K</span>
        <SearchIcon />
      </button>
      {mayDrive && (
        <button
          type="button"
          className="button"
          data-role="new-session"
          onClick={() => openNewSession()}
        >
          <span className="max-[400px]:sr-only">
            New<span className="max-sm:sr-only"> session</span>
          </span>
          <span className="text-title min-[401px]:hidden" aria-hidden="true">
            +
          </span>
        </button>
      )}
    </nav>
  );
}

/** An icon in place of the word "Commands", for phones. */
function SearchIcon() {
  return (
    <span className="sm:hidden">
      <span className="sr-only">Commands</span>
      <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true">
        <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M10.5 10.5 14 14" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      </svg>
    </span>
  );
}

/** An icon in place of the word "Settings", for narrow phones. */
function SettingsIcon() {
  return (
    <svg
      viewBox="0 0 16 16"
      className="mx-1 size-4 min-[401px]:hidden"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="2.25" />
      <circle cx="8" cy="8" r="5" />
      <path
        d="M8 0.75V3M8 13v2.25M0.75 8H3M13 8h2.25M2.9 2.9l1.6 1.6M11.5 11.5l1.6 1.6M13.1 2.9l-1.6 1.6M4.5 11.5l-1.6 1.6"
        strokeLinecap="round"
      />
    </svg>
  );
}

function OverlayFallback() {
  return (
    <div className="fixed inset-x-0 top-0 z-20">
      <Progress label="Opening the dialog" />
    </div>
  );
}

function Overlays({ route }: { route: Route }) {
  const over = useSignal(overlay);
  const asked = useSignal(pendingConfirmation);
  if (!over && !asked) return null;
  // An open dialog renders the confirmation itself: two independent dialogs would both take the keyboard.
  if (!over) {
    return (
      <Suspense fallback={<OverlayFallback />}>
        <ConfirmDialog />
      </Suspense>
    );
  }
  return (
    <Suspense fallback={<OverlayFallback />}>
      {over.kind === "palette" && <Palette route={route} onClose={closeOverlay} />}
      {over.kind === "help" && <Help onClose={closeOverlay} />}
      {over.kind === "connect" && <ConnectDialog onClose={closeOverlay} />}
      {over.kind === "rename" && <RenameDialog session={over.session} onClose={closeOverlay} />}
      {over.kind === "rewind" && (
        <RewindDialog session={over.session} message={over.message} onClose={closeOverlay} />
      )}
      {over.kind === "new-session" && (
        <NewSession
          onClose={closeOverlay}
          {...(over.folder !== undefined && { folder: over.folder })}
          {...(over.runner !== undefined && { runner: over.runner })}
          {...(over.prefill && { prefill: over.prefill })}
        />
      )}
    </Suspense>
  );
}
