import { Suspense } from "react";
import { ComposerContext } from "../asks/composer-context.ts";
import { visibleAsks } from "../asks/visible-asks.ts";
import { useTypingIn } from "../asks/use-typing-in.ts";
import { useSeconds } from "../store/clock.ts";
import { useAsks, useBoard, useDevice } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { preloaded } from "../ui/preloaded.tsx";

const card = preloaded(async () => ({
  default: (await import("../asks/ask-card.tsx")).AskCard,
}));
const AskCard = card.View;
/** Most sessions are opened while nothing is asked. */
export const fetchAskCard = card.fetch;

/** The session's open requests, docked above the composer. */
export function AskDock({ id }: { id: string }) {
  const all = useAsks();
  const closed = useBoard((view) => view.closedAsks);
  const now = useSeconds(all.length > 0 || closed.length > 0);
  const { typingHandlers, ...typing } = useTypingIn();
  const { name } = useDevice();
  const asks = visibleAsks(
    all.filter(({ session }) => session === id),
    // The row of the call says what was answered here; only others' answers are told in the dock.
    closed.filter(
      (ask) => ask.session === id && (ask.answeredBy !== name || ask.id === typing.typingIn),
    ),
    now,
    typing,
  );
  if (asks.length === 0) return null;
  return (
    <div
      className="asks-dock"
      role="region"
      aria-label={strings.session.needsYou}
      {...typingHandlers}
    >
      <ComposerContext value={true}>
        <ErrorBoundary what={strings.parts.request}>
          <Suspense fallback={null}>
            {asks.map((ask) => (
              <AskCard key={ask.id} ask={ask} />
            ))}
          </Suspense>
        </ErrorBoundary>
      </ComposerContext>
    </div>
  );
}
