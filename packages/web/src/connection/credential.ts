import type { DeviceView } from "@signalbox/protocol";
import type { Database } from "./database.ts";

/** What this browser is to the hub. The token stands in the database alone: in no address and no title. */
export interface Credential {
  readonly token: string;
  readonly device: DeviceView;
}

const KEY = "credential";

export function readCredential(database: Database): Promise<Credential | undefined> {
  return database.get<Credential>("keys", KEY);
}

export function keepCredential(database: Database, credential: Credential): Promise<void> {
  return database.put("keys", KEY, credential);
}

/** Everything of the hub's leaves this browser with its credential. */
export function forgetAll(database: Database): Promise<void> {
  return database.clear();
}
