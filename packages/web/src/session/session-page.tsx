import { useState } from "react";
import { AskCard } from "../asks/ask-card.tsx";
import { shownAsks } from "../asks/visible-asks.ts";
import { useWritten } from "../asks/use-typing-in.ts";
import { Composer } from "../composer/composer.tsx";
import { Boundary } from "../ui/boundary.tsx";
import { useSeconds } from "../store/clock.ts";
import { useTalk, useTalkState } from "../store/use-session-handle.ts";
import type { Talk } from "../store/use-session-handle.ts";
import { useAsks, useBoard, useSession } from "../store/use-hub.ts";
import { TrustNotice } from "../trust/trust-notice.tsx";
import { Gone } from "./deleted-session.tsx";
import { ItemList } from "../conversation/item-list.tsx";
import { SessionHead } from "./session-head.tsx";
import { SessionProgress } from "./session-progress.tsx";
import { useFileShown } from "../panels/shown-file.ts";
import { SidePanels } from "./side-panels.tsx";

/** From this width on the panels stand beside the conversation; on less they lie over it. */
const BESIDE_PX = 1100;

/** One session: its conversation, what it asks, and what is said to it. */
export default function SessionPage({ id }: { id: string }) {
  const talk = useTalk(id);
  const [panels, setPanels] = useState(() => window.innerWidth >= BESIDE_PX);
  const wide = useFileShown(id);
  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-w-0 grow flex-col" data-asks="">
        <SessionHead id={id} panels={panels} onPanels={() => setPanels(!panels)} />
        {talk && <SessionProgress id={id} talk={talk} />}
        {talk ? <Conversation id={id} talk={talk} /> : <div className="grow" />}
      </div>
      {panels && (
        <aside className="side" data-wide={wide} aria-label="About this session">
          <Boundary what="This panel">
            <SidePanels
              id={id}
              talk={talk}
              onClose={() => setPanels(false)}
              onLeave={() => window.innerWidth < BESIDE_PX && setPanels(false)}
            />
          </Boundary>
        </aside>
      )}
    </div>
  );
}

function Conversation({ id, talk }: { id: string; talk: Talk }) {
  const state = useTalkState(talk);
  const session = useSession(id);
  if (state === "gone") return <Gone id={id} />;
  return (
    <>
      <Boundary what="The conversation">
        <ItemList id={id} talk={talk} />
      </Boundary>
      <OpenAsks id={id} />
      {session && (
        <Boundary what="The notice about this folder's code">
          <TrustNotice session={session} />
        </Boundary>
      )}
      {session && (
        <Boundary what="The composer">
          <Composer session={session} talk={talk} />
        </Boundary>
      )}
    </>
  );
}

/** What this session waits for, docked where the hands are. */
function OpenAsks({ id }: { id: string }) {
  const all = useAsks();
  const closed = useBoard((view) => view.closedAsks);
  const now = useSeconds(all.length > 0 || closed.length > 0);
  const { writing, ...writtenIn } = useWritten();
  const asks = shownAsks(
    all.filter(({ session }) => session === id),
    closed.filter(({ session }) => session === id),
    now,
    writtenIn,
  );
  if (asks.length === 0) return null;
  return (
    <div className="asks-dock" role="region" aria-label="Waits for you" {...writing}>
      {asks.map((ask) => (
        <AskCard key={ask.id} ask={ask} />
      ))}
    </div>
  );
}
