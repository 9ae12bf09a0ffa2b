import {
  AppContextProvider,
  closeOverlay,
  ConfirmDialog,
  DiagramFrameAddress,
  navigateWith,
  overlay,
  pendingConfirmation,
  RewindDialog,
  ToastList,
  useSignal,
} from "@signalbox/web/source";
import { useEffect } from "react";
import type * as declared from "./declarations.ts";
import { Surface } from "./surface.tsx";
import { useEmbeddedContext } from "./use-embedded-context.ts";

export const SignalboxProvider: typeof declared.SignalboxProvider = (props) => {
  const { client, onOpenSession, children } = props;
  const context = useEmbeddedContext(client);
  useEffect(() => {
    navigateWith((route) => {
      if (route.page === "session") onOpenSession?.(route.session);
    });
    return () => navigateWith(undefined);
  }, [onOpenSession]);
  if (!context) return null;
  return (
    <AppContextProvider value={context}>
      <DiagramFrameAddress value={undefined}>
        {children}
        <Surface>
          <Dialogs />
          <ToastList />
        </Surface>
      </DiagramFrameAddress>
    </AppContextProvider>
  );
};

/** The dialogs that the components open. */
function Dialogs() {
  const open = useSignal(overlay);
  const asked = useSignal(pendingConfirmation);
  if (open?.kind === "rewind")
    return <RewindDialog session={open.session} message={open.message} onClose={closeOverlay} />;
  return asked && <ConfirmDialog />;
}
