import { preferences, setPreferences } from "../store/preferences.ts";
import { signal } from "../store/signal.ts";
import { closePlan } from "./plan-in-panel.ts";

/** Below this width the panel is a sheet over the conversation. */
export const PANEL_BESIDE_PX = 1100;
/** Below this width the sidebar folds away and opens over the page. */
export const SIDEBAR_BESIDE_PX = 1100;
/** Below this width the sidebar is a page of its own: the list of sessions. */
export const PHONE_PX = 768;

export const SIDEBAR_WIDTH = { min: 200, normal: 264, max: 420 } as const;
export const PANEL_WIDTH = { min: 320, normal: 380, max: 960 } as const;

/** Whether the folded sidebar of a tablet is open over the page. */
export const sidebarSheet = signal(false);

const isSidebarBeside = () => matchMedia(`(width >= ${SIDEBAR_BESIDE_PX}px)`).matches;

export function toggleSidebar(): void {
  if (isSidebarBeside()) setPreferences({ sidebarOpen: !preferences.get().sidebarOpen });
  else sidebarSheet.set(!sidebarSheet.get());
}

const isPanelBeside = () => matchMedia(`(width >= ${PANEL_BESIDE_PX}px)`).matches;

/** Whether the panel of the session is open. Wide screens remember it; a sheet closes with the page. */
export const panelSheet = signal(false);

export function togglePanel(): void {
  if (closePlan()) setPreferences({ panelOpen: false });
  else if (isPanelBeside()) setPreferences({ panelOpen: !preferences.get().panelOpen });
  else panelSheet.set(!panelSheet.get());
}

/** Opens the panel of the session with this tab. */
export function showPanel(panel: string): void {
  closePlan();
  setPreferences({ panel, panelOpen: true });
  if (!isPanelBeside()) panelSheet.set(true);
}

export function closePanel(): void {
  closePlan();
  if (isPanelBeside()) setPreferences({ panelOpen: false });
  panelSheet.set(false);
}
