import type { PrefilledPrompt } from "./prefilled-prompt.ts";
import { signal } from "../store/signal.ts";

/** What a new session is to begin with. */
interface NewSessionDefaults {
  readonly folder?: string;
  /** The machine, by its runner; the hub's own unless said. */
  readonly runner?: string;
  readonly prefill?: PrefilledPrompt;
}

/** What lies over the page: at most one thing at a time. */
type Overlay =
  | { readonly kind: "palette" }
  | { readonly kind: "help" }
  | { readonly kind: "connect" }
  | { readonly kind: "rename"; readonly session: string }
  | ({ readonly kind: "new-session" } & NewSessionDefaults)
  | { readonly kind: "rewind"; readonly session: string; readonly message: string };

export const overlay = signal<Overlay | undefined>(undefined);

export const openPalette = () => overlay.set({ kind: "palette" });
export const openHelp = () => overlay.set({ kind: "help" });
export const openConnect = () => overlay.set({ kind: "connect" });
export const openNewSession = (begins: NewSessionDefaults = {}) =>
  overlay.set({ kind: "new-session", ...begins });
export const openRewind = (session: string, message: string) =>
  overlay.set({ kind: "rewind", session, message });
export const openRename = (session: string) => overlay.set({ kind: "rename", session });
export const closeOverlay = () => overlay.set(undefined);
