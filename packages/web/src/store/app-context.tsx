import type { DeviceView } from "@signalbox/api";
import type { BoardView, HubClient, Watch } from "@signalbox/client";
import { createContext, useContext } from "react";
import type { ViewCache } from "../storage/view-cache.ts";
import type { Database } from "../storage/database.ts";
import type { DraftSync } from "./draft-sync.ts";
import type { Drafts } from "./drafts.ts";
import type { Toasts } from "./toasts.ts";

/** Everything that views share. Created once the page has a credential. */
export interface AppContext {
  readonly client: HubClient;
  /** Watched while the page is open, because the tab's title and icon need it. */
  readonly board: Watch<BoardView>;
  readonly database: Database;
  readonly viewCache: ViewCache;
  readonly drafts: Drafts;
  readonly draftSync: DraftSync;
  readonly toasts: Toasts;
  /** This device as it was paired, until the hub has described it. */
  readonly pairedDevice: DeviceView;
  /** When an earlier page of this browser was last connected. */
  readonly lastLive: number | undefined;
  /** Revokes this device and removes everything of the hub from this browser. */
  leave(): Promise<void>;
}

/** This device as the hub described it last. */
export function getDevice({ client, pairedDevice }: Pick<AppContext, "client" | "pairedDevice">) {
  return client.welcome?.device ?? pairedDevice;
}

/** Whether this device may answer requests and type into terminals. */
export function mayDecide(app: Pick<AppContext, "client" | "pairedDevice">): boolean {
  const { role } = getDevice(app);
  return role === "approver" || role === "admin";
}

const ReactAppContext = createContext<AppContext | undefined>(undefined);
export const AppContextProvider = ReactAppContext.Provider;

export function useAppContext(): AppContext {
  const app = useContext(ReactAppContext);
  if (!app) throw new Error("AppContextProvider is missing");
  return app;
}
