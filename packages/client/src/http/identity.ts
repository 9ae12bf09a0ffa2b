import type { HubDescriptor } from "@signalbox/api";
import type { Fetch } from "./caller.ts";
import { proveHub } from "./prover.ts";

/**
 * Makes sure that whoever listens there is the hub that wrote the descriptor, before anything is sent.
 * Rejects with the code `not-the-hub`, or `unreachable`.
 */
export async function verifyHubIdentity(
  { url, key, hub }: Pick<HubDescriptor, "url" | "key" | "hub">,
  fetch: Fetch = globalThis.fetch,
): Promise<void> {
  await proveHub(url, { id: hub, key }, fetch);
}
