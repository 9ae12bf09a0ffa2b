import {
  AskDock,
  Composer as PageComposer,
  ErrorBoundary,
  ItemList,
  LoadingMessage,
  strings,
  useSession,
  useSessionHandle,
} from "@signalbox/web/source";
import type * as declared from "./declarations.ts";
import { Surface } from "./surface.tsx";

export type * from "./declarations.ts";
export { SignalboxProvider } from "./provider.tsx";

export const Conversation: typeof declared.Conversation = ({ session }) => {
  const handle = useSessionHandle(session);
  return (
    <Surface fills>
      <ErrorBoundary what={strings.parts.conversation}>
        {handle ? (
          <ItemList id={session} handle={handle} />
        ) : (
          <LoadingMessage text={strings.conversation.loading} />
        )}
      </ErrorBoundary>
    </Surface>
  );
};

export const RequestStrip: typeof declared.RequestStrip = ({ session }) => (
  <Surface>
    <ErrorBoundary what={strings.parts.request}>
      <AskDock id={session} />
    </ErrorBoundary>
  </Surface>
);

export const Composer: typeof declared.Composer = ({ session: id, context }) => {
  const handle = useSessionHandle(id);
  const session = useSession(id);
  return (
    <Surface>
      <ErrorBoundary what={strings.parts.messageField}>
        {handle && session && (
          <div className="composer-dock">
            <PageComposer session={session} handle={handle} context={context} />
          </div>
        )}
      </ErrorBoundary>
    </Surface>
  );
};
