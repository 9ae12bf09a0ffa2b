import type { BoardView, HubClient, Watch } from "@signalbox/client";
import { createContext, useContext } from "react";
import type { ViewCache } from "../storage/view-cache.ts";
import type { Credential } from "../storage/credential.ts";
import type { Database } from "../storage/database.ts";
import type { Drafts } from "./drafts.ts";
import type { Toasts } from "./toasts.ts";

/** Everything the views work with. Made once, when the page has a credential. */
export interface AppContext {
  readonly client: HubClient;
  /** Watched for as long as the page is open: its title and its badge need it, too. */
  readonly board: Watch<BoardView>;
  readonly database: Database;
  readonly viewCache: ViewCache;
  readonly drafts: Drafts;
  readonly toasts: Toasts;
  readonly credential: Credential;
  /** When an earlier page of this browser was last live. */
  readonly lastLive: number | undefined;
  /** Takes this device away from the hub, and everything of the hub's from this browser. */
  leave(): Promise<void>;
}

/** Who this device is to the hub, by its last welcome. */
export function getDevice({ client, credential }: Pick<AppContext, "client" | "credential">) {
  return client.welcome?.device ?? credential.device;
}

const ReactAppContext = createContext<AppContext | undefined>(undefined);
export const AppContextProvider = ReactAppContext.Provider;

export function useAppContext(): AppContext {
  const app = useContext(ReactAppContext);
  if (!app) throw new Error("this view needs a WorldProvider around it");
  return app;
}
