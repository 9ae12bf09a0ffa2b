import { lazy, Suspense, useEffect } from "react";
import { PlanPanelContext } from "../asks/plan-panel-context.ts";
import { FirstSteps } from "./first-steps.tsx";
import { Composer } from "../composer/composer.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { useSessionHandle, useViewState } from "../store/use-session-handle.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { useBoard, useSession, useLive } from "../store/use-hub.ts";
import { TrustNotice } from "../trust/trust-notice.tsx";
import { AskDock, fetchAskCard } from "./ask-dock.tsx";
import { DeletedSession } from "./deleted-session.tsx";
import { ItemList } from "../conversation/item-list.tsx";
import { fetchFindBar } from "../conversation/lazy-find-bar.tsx";
import { SessionHead } from "./session-head.tsx";
import { SessionProgress } from "./session-progress.tsx";
import { usePlanInPanel } from "./use-plan-in-panel.ts";
import { PANEL_BESIDE_PX, PANEL_WIDTH, panelSheet } from "../frame/frame-state.ts";
import { Sheet } from "../frame/sheet.tsx";
import { Splitter } from "../frame/splitter.tsx";
import { useMedia } from "../frame/use-media.ts";
import { preferences, setPreferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { strings } from "../strings/strings.ts";
import { SessionTabs } from "../terminal/session-tabs.tsx";
import { findAgentTerminal } from "../terminal/agent-terminal.ts";
import { TerminalNotice } from "../terminal/terminal-notice.tsx";
import { TerminalOffer } from "../terminal/terminal-offer.tsx";
import { useTerminals } from "../terminal/use-terminals.ts";
import { Link } from "../navigation/link.tsx";
import { AGENT_TERMINAL, sessionPath } from "../navigation/router.ts";
import { preloaded } from "../ui/preloaded.tsx";
import { usePreload } from "../ui/use-preload.ts";
import { LoadingMessage } from "../ui/progress.tsx";
import type { TerminalView as TerminalData } from "@signalbox/api";

const TerminalPane = lazy(() => import("../terminal/terminal-pane.tsx"));
const ChangesPage = lazy(() => import("../changes/changes-page.tsx"));
const sidePanel = preloaded(() => import("./side-panel.tsx"));
const SidePanel = sidePanel.View;

/** The page of a session: conversation, requests, composer and panel. */
export default function SessionPage({
  id,
  terminal,
  view,
}: {
  id: string;
  terminal?: string | undefined;
  view?: "changes" | undefined;
}) {
  const handle = useSessionHandle(id);
  const terminals = useTerminals(id);
  const isBeside = useMedia(`(width >= ${PANEL_BESIDE_PX}px)`);
  const { panelOpen = false, panelWidth } = useSignal(preferences);
  const isSheetOpen = useSignal(panelSheet);
  useEffect(() => panelSheet.set(false), [id, isBeside]);
  usePreload(useLive(), preloadParts);
  const { plan, isShown } = usePlanInPanel(id, isBeside);
  const isOpen = isBeside ? panelOpen || isShown : isSheetOpen;
  const panel = (
    <aside className="side-panel" aria-label={strings.session.panel}>
      {isBeside && (
        <Splitter
          label={strings.frame.resizePanel}
          width={panelWidth}
          limits={PANEL_WIDTH}
          side="start"
          onWidth={(width) => setPreferences({ panelWidth: width })}
        />
      )}
      <ErrorBoundary what={strings.parts.panel}>
        <Suspense fallback={<LoadingMessage text={strings.session.loading} small />}>
          <SidePanel id={id} plan={plan} handle={handle} onLeave={() => panelSheet.set(false)} />
        </Suspense>
      </ErrorBoundary>
    </aside>
  );
  return (
    <div className="flex min-h-0 grow">
      <div className="flex min-w-0 grow flex-col" data-asks="">
        <SessionHead id={id} isPanelOpen={isOpen} />
        <SessionTabs session={id} terminals={terminals} shown={terminal} view={view} />
        {handle && <SessionProgress id={id} handle={handle} />}
        {view === "changes" ? (
          <ChangesView id={id} handle={handle} />
        ) : terminal === undefined ? (
          <PlanPanelContext value={plan !== undefined}>
            {handle ? <ConversationView id={id} handle={handle} /> : <div className="grow" />}
          </PlanPanelContext>
        ) : (
          <TerminalView
            key={terminal}
            session={id}
            terminal={
              terminal === AGENT_TERMINAL
                ? findAgentTerminal(terminals)
                : terminals.find((one) => one.id === terminal)
            }
            isAgents={terminal === AGENT_TERMINAL}
          />
        )}
      </div>
      {isOpen && isBeside && panel}
      {isOpen && !isBeside && (
        <Sheet label={strings.session.panel} onClose={() => panelSheet.set(false)}>
          {panel}
        </Sheet>
      )}
    </div>
  );
}

/** Loads the panel and the find bar: most sessions are opened without them. */
function preloadParts(): void {
  void Promise.allSettled([fetchAskCard(), sidePanel.fetch(), fetchFindBar()]);
}

/** The changes of the session's folder, with its requests: they are answered without leaving the changes. */
function ChangesView({ id, handle }: { id: string; handle: SessionHandle | undefined }) {
  const session = useSession(id);
  if (!session) return <div className="grow" />;
  return (
    <>
      <ErrorBoundary what={strings.parts.changes}>
        <Suspense fallback={<LoadingMessage text={strings.changes.loading} />}>
          <ChangesPage session={session} handle={handle} />
        </Suspense>
      </ErrorBoundary>
      <AskDock id={id} />
    </>
  );
}

interface TerminalViewProps {
  readonly session: string;
  readonly terminal: TerminalData | undefined;
  /** Whether the agent's own terminal is wanted. */
  readonly isAgents: boolean;
}

/** The terminal that is shown instead of the conversation. */
function TerminalView({ session, terminal, isAgents }: TerminalViewProps) {
  const isConfirmed = useBoard((view) => view.isConfirmed);
  const data = useSession(session);
  if (terminal) {
    return (
      <ErrorBoundary what={strings.parts.terminal}>
        <Suspense fallback={<LoadingMessage text={strings.terminals.loading} />}>
          <TerminalPane key={terminal.id} session={session} terminal={terminal} />
        </Suspense>
      </ErrorBoundary>
    );
  }
  if (!isConfirmed) return <LoadingMessage text={strings.terminals.loading} />;
  if (isAgents && data) return <TerminalOffer session={data} />;
  return (
    <p className="p-6" data-role="terminal-gone">
      {strings.terminals.gone}{" "}
      <Link href={sessionPath(session)} className="link">
        {strings.terminals.backToChat}
      </Link>
    </p>
  );
}

function ConversationView({ id, handle }: { id: string; handle: SessionHandle }) {
  const state = useViewState(handle);
  const session = useSession(id);
  if (state === "gone") return <DeletedSession id={id} />;
  return (
    <>
      <ErrorBoundary what={strings.parts.conversation}>
        <ItemList id={id} handle={handle} />
      </ErrorBoundary>
      {session && <TerminalNotice session={session} />}
      <AskDock id={id} />
      {session && (
        <ErrorBoundary what={strings.parts.notice}>
          <TrustNotice session={session} />
        </ErrorBoundary>
      )}
      {session && (
        <ErrorBoundary what={strings.parts.messageField}>
          <div className="composer-dock">
            <FirstSteps session={session} />
            <Composer session={session} handle={handle} />
          </div>
        </ErrorBoundary>
      )}
    </>
  );
}
