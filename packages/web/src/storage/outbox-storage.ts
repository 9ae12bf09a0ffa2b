import type { OutboxStorage, UnsentMessage } from "@signalbox/client";
import type { Database } from "./database.ts";

/** Tells the other windows of this browser about changes. */
export type ChangeChannel = Pick<BroadcastChannel, "postMessage" | "addEventListener">;

/** Stores unsent messages across reloads and shares them between windows. */
export function createOutboxStorage(database: Database, others: ChangeChannel): OutboxStorage {
  // oxlint-disable-next-line require-post-message-target-origin -- it is a channel, and no window
  const tell = () => others.postMessage("changed");
  const persistentStorage: OutboxStorage = {
    list: () => database.all<UnsentMessage>("outbox"),
    put: (message) => database.put("outbox", message.id, message).then(tell),
    remove: (id) => database.remove("outbox", id).then(tell),
  };
  if (!database.isPersistent) return persistentStorage; // A database in memory belongs to this window alone.
  return {
    ...persistentStorage,
    onChange: (listener) => others.addEventListener("message", listener),
    // Locks exist in secure contexts only. Without them the hub still accepts each message once.
    ...("locks" in navigator && {
      exclusively: <T>(work: () => Promise<T>): Promise<T> =>
        navigator.locks.request("signalbox.outbox", work),
    }),
  };
}
