import type { HubClient } from "@signalbox/client";
import type { Database } from "./database.ts";

/** The number of heads that a hub accepts at once. */
const MAX_HEADS = 100;
const storageKey = (hub: string) => `audit-heads ${hub}`;

/**
 * The heads of the hub's audit chain that this browser has seen. A missing one reveals that entries were
 * removed.
 */
export async function readAuditHeads(database: Database, hub: string): Promise<readonly string[]> {
  return (await database.get<readonly string[]>("keys", storageKey(hub))) ?? [];
}

export async function saveAuditHead(database: Database, hub: string, head: string): Promise<void> {
  const before = await readAuditHeads(database, hub);
  if (before.at(-1) === head) return;
  // Older heads are kept as well: after a cut, the newest one fits again.
  const heads = [...before.filter((one) => one !== head), head].slice(-MAX_HEADS);
  await database.put("keys", storageKey(hub), heads);
}

/** Saves the audit head of every connection. */
export function saveAuditHeads(client: HubClient, database: Database): void {
  client.onState(() => {
    const { welcome } = client;
    if (!welcome || client.state.kind !== "live") return;
    void saveAuditHead(database, welcome.hub, welcome.auditHead).catch(() => undefined);
  });
}
