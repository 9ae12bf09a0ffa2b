import type { HubClient } from "@signalbox/client";
import type { Database } from "./database.ts";

/** So many a hub takes at once. */
const MOST = 100;
const keyOf = (hub: string) => `audit-heads ${hub}`;

/** The heads of the hub's audit chain that this browser has seen: one that is gone shows a cut. */
export async function keptHeads(database: Database, hub: string): Promise<readonly string[]> {
  return (await database.get<readonly string[]>("keys", keyOf(hub))) ?? [];
}

export async function keepHead(database: Database, hub: string, head: string): Promise<void> {
  const before = await keptHeads(database, hub);
  if (before.at(-1) === head) return;
  // Not the newest alone: after a cut the newest is one that fits.
  const heads = [...before.filter((one) => one !== head), head].slice(-MOST);
  await database.put("keys", keyOf(hub), heads);
}

/** Keeps the head of every welcome. */
export function keepWelcomedHeads(client: HubClient, database: Database): void {
  client.onState(() => {
    const { welcome } = client;
    if (!welcome || client.state.kind !== "live") return;
    void keepHead(database, welcome.hub, welcome.auditHead).catch(() => undefined);
  });
}
