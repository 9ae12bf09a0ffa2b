import type { OutboxStorage, Unsent } from "@signalbox/client";
import type { Database } from "./database.ts";

/** Messages that were typed and have not arrived, kept over reloads. */
export function keptMessages(database: Database): OutboxStorage {
  return {
    list: () => database.all<Unsent>("outbox"),
    put: (message) => database.put("outbox", message.id, message),
    remove: (id) => database.remove("outbox", id),
  };
}
