import type { WorktreeView } from "@signalbox/api";
import type { PrefilledPrompt } from "./prefilled-prompt.ts";
import { go } from "./router.ts";
import { signal } from "../store/signal.ts";

/** Initial values of the draft of a new session. */
export interface NewSessionDefaults {
  readonly folder?: string;
  /** The machine's runner; the hub's own by default. */
  readonly runner?: string;
  readonly prefill?: PrefilledPrompt;
}

/** The worktree of a session that is about to be archived or deleted. */
interface OfferedWorktree {
  readonly session: string;
  readonly worktree: WorktreeView;
  /** The branch of the main folder; null: none is checked out there. */
  readonly mainBranch: string | null;
  /** Archives or deletes the session. */
  readonly proceed: () => void;
}

/** The open dialog; at most one at a time. */
export type Overlay =
  | { readonly kind: "palette" }
  | { readonly kind: "help" }
  | { readonly kind: "connect" }
  | ({ readonly kind: "worktree" } & OfferedWorktree)
  | { readonly kind: "rename"; readonly session: string }
  | { readonly kind: "branches"; readonly session: string }
  | { readonly kind: "export"; readonly session: string }
  | { readonly kind: "rewind"; readonly session: string; readonly message: string };

export const overlay = signal<Overlay | undefined>(undefined);

export const openPalette = () => overlay.set({ kind: "palette" });
export const openHelp = () => overlay.set({ kind: "help" });
export const openConnect = () => overlay.set({ kind: "connect" });
export const newSessionDefaults = signal<NewSessionDefaults>({});
export function openNewSession(defaults: NewSessionDefaults = {}): void {
  newSessionDefaults.set(defaults);
  closeOverlay();
  go("/new");
}
export const openRewind = (session: string, message: string) =>
  overlay.set({ kind: "rewind", session, message });
export const openBranches = (session: string) => overlay.set({ kind: "branches", session });
export const openExport = (session: string) => overlay.set({ kind: "export", session });
export const openRename = (session: string) => overlay.set({ kind: "rename", session });
export const openWorktree = (offered: OfferedWorktree) =>
  overlay.set({ kind: "worktree", ...offered });
export const closeOverlay = () => overlay.set(undefined);
