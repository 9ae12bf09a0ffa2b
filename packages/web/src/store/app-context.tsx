import type { BoardView, HubClient, Watch } from "@signalbox/client";
import { createContext, useContext } from "react";
import type { Copies } from "../storage/copies.ts";
import type { Credential } from "../storage/credential.ts";
import type { Database } from "../storage/database.ts";
import type { Drafts } from "./drafts.ts";
import type { Toasts } from "./toasts.ts";

/** Everything the views work with. Made once, when the page has a credential. */
export interface World {
  readonly client: HubClient;
  /** Watched for as long as the page is open: its title and its badge need it, too. */
  readonly board: Watch<BoardView>;
  readonly database: Database;
  readonly copies: Copies;
  readonly drafts: Drafts;
  readonly toasts: Toasts;
  readonly credential: Credential;
  /** When an earlier page of this browser was last live. */
  readonly lastLive: number | undefined;
  /** Takes this device away from the hub, and everything of the hub's from this browser. */
  leave(): Promise<void>;
}

/** Who this device is to the hub, by its last welcome. */
export function deviceOf({ client, credential }: Pick<World, "client" | "credential">) {
  return client.welcome?.device ?? credential.device;
}

const Context = createContext<World | undefined>(undefined);
export const WorldProvider = Context.Provider;

export function useWorld(): World {
  const world = useContext(Context);
  if (!world) throw new Error("this view needs a WorldProvider around it");
  return world;
}
