import type { OutboxStorage, UnsentMessage } from "@signalbox/client";
import type { Database } from "./database.ts";

/** By which other windows of this browser are told that there is another message, or one less. */
export type ChangeChannel = Pick<BroadcastChannel, "postMessage" | "addEventListener">;

/** Messages that were typed and have not arrived, kept over reloads and shared by all windows. */
export function createOutboxStorage(database: Database, others: ChangeChannel): OutboxStorage {
  // oxlint-disable-next-line require-post-message-target-origin -- it is a channel, and no window
  const tell = () => others.postMessage("changed");
  const kept: OutboxStorage = {
    list: () => database.all<UnsentMessage>("outbox"),
    put: (message) => database.put("outbox", message.id, message).then(tell),
    remove: (id) => database.remove("outbox", id).then(tell),
  };
  if (!database.isPersistent) return kept; // what is kept in memory is this window's own
  return {
    ...kept,
    onChange: (listener) => others.addEventListener("message", listener),
    // Only pages that came over a safe line have locks; without one the hub still takes each message once.
    ...("locks" in navigator && {
      exclusively: <T>(work: () => Promise<T>): Promise<T> =>
        navigator.locks.request("signalbox.outbox", work),
    }),
  };
}
