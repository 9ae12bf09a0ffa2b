/**
 * The parts of the page that `@signalbox/react` shows in the pages of other programs. They are built from
 * these sources, so that nothing stands twice; the published page does not contain this module.
 */
import "./style/page.css";
import "./style/app.css";

export { Composer } from "./composer/composer.tsx";
export { ItemList } from "./conversation/item-list.tsx";
export { DiagramFrameAddress } from "./markdown/diagram/frame-address.ts";
export { pendingConfirmation } from "./navigation/confirm.ts";
export { closeOverlay, overlay } from "./navigation/overlays.ts";
export { navigateWith } from "./navigation/router.ts";
export { AskDock } from "./session/ask-dock.tsx";
export { default as RewindDialog } from "./session/rewind-dialog.tsx";
export { memoryDatabase } from "./storage/database.ts";
export { ViewCache } from "./storage/view-cache.ts";
export { type AppContext, AppContextProvider } from "./store/app-context.tsx";
export { setHubClockOffset } from "./store/clock.ts";
export { DraftSync } from "./store/draft-sync.ts";
export { Drafts } from "./store/drafts.ts";
export { useSignal } from "./store/signal.ts";
export { Toasts } from "./store/toasts.ts";
export { useSession } from "./store/use-hub.ts";
export { useSessionHandle } from "./store/use-session-handle.ts";
export { strings } from "./strings/strings.ts";
export { ToastList } from "./app/toast-list.tsx";
export { default as ConfirmDialog } from "./ui/confirm-dialog.tsx";
export { ErrorBoundary } from "./ui/error-boundary.tsx";
export { LoadingMessage } from "./ui/progress.tsx";
