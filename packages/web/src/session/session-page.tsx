import { useState } from "react";
import { AskCard } from "../asks/ask-card.tsx";
import { visibleAsks } from "../asks/visible-asks.ts";
import { useTypingIn } from "../asks/use-typing-in.ts";
import { Composer } from "../composer/composer.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { useSeconds } from "../store/clock.ts";
import { useSessionHandle, useViewState } from "../store/use-session-handle.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { useAsks, useBoard, useSession } from "../store/use-hub.ts";
import { TrustNotice } from "../trust/trust-notice.tsx";
import { DeletedSession } from "./deleted-session.tsx";
import { ItemList } from "../conversation/item-list.tsx";
import { SessionHead } from "./session-head.tsx";
import { SessionProgress } from "./session-progress.tsx";
import { useIsFileShown } from "../panels/shown-file.ts";
import { SidePanels } from "./side-panels.tsx";

/** From this width on, the panels are beside the conversation instead of over it. */
const SIDE_BY_SIDE_PX = 1100;

/** The page of a session: conversation, requests, composer and panels. */
export default function SessionPage({ id }: { id: string }) {
  const handle = useSessionHandle(id);
  const [panels, setPanels] = useState(() => window.innerWidth >= SIDE_BY_SIDE_PX);
  const wide = useIsFileShown(id);
  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-w-0 grow flex-col" data-asks="">
        <SessionHead id={id} panels={panels} onPanels={() => setPanels(!panels)} />
        {handle && <SessionProgress id={id} handle={handle} />}
        {handle ? <ConversationView id={id} handle={handle} /> : <div className="grow" />}
      </div>
      {panels && (
        <aside className="side" data-wide={wide} aria-label="About this session">
          <ErrorBoundary what="This panel">
            <SidePanels
              id={id}
              handle={handle}
              onClose={() => setPanels(false)}
              onLeave={() => window.innerWidth < SIDE_BY_SIDE_PX && setPanels(false)}
            />
          </ErrorBoundary>
        </aside>
      )}
    </div>
  );
}

function ConversationView({ id, handle }: { id: string; handle: SessionHandle }) {
  const state = useViewState(handle);
  const session = useSession(id);
  if (state === "gone") return <DeletedSession id={id} />;
  return (
    <>
      <ErrorBoundary what="The conversation">
        <ItemList id={id} handle={handle} />
      </ErrorBoundary>
      <AskDock id={id} />
      {session && (
        <ErrorBoundary what="The notice about this folder's code">
          <TrustNotice session={session} />
        </ErrorBoundary>
      )}
      {session && (
        <ErrorBoundary what="The composer">
          <Composer session={session} handle={handle} />
        </ErrorBoundary>
      )}
    </>
  );
}

/** The session's open requests, docked above the composer. */
function AskDock({ id }: { id: string }) {
  const all = useAsks();
  const closed = useBoard((view) => view.closedAsks);
  const now = useSeconds(all.length > 0 || closed.length > 0);
  const { typingHandlers, ...typing } = useTypingIn();
  const asks = visibleAsks(
    all.filter(({ session }) => session === id),
    closed.filter(({ session }) => session === id),
    now,
    typing,
  );
  if (asks.length === 0) return null;
  return (
    <div className="asks-dock" role="region" aria-label="Waits for you" {...typingHandlers}>
      {asks.map((ask) => (
        <AskCard key={ask.id} ask={ask} />
      ))}
    </div>
  );
}
