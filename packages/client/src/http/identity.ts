import type { HubDescriptor } from "@signalbox/api";
import type { Fetch } from "./caller.ts";
import { proveHub } from "./prover.ts";

/**
 * Verifies, before anything else is sent, that the server is the hub that wrote the descriptor.
 * Rejects with the code `not-the-hub` or `unreachable`.
 */
export async function verifyHubIdentity(
  { url, key, hub }: Pick<HubDescriptor, "url" | "key" | "hub">,
  fetch: Fetch = globalThis.fetch,
): Promise<void> {
  await proveHub(url, { id: hub, key }, fetch);
}
