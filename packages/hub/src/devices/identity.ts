import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { identityText, type IdentityProof } from "@signalbox/protocol";
import type { Store } from "../log/store.ts";

/** Who this hub is, over restarts: its id, and the key with which it shows that it is the one. */
export interface Identity {
  readonly hub: string;
  readonly key: string;
}

export async function openIdentity(store: Store): Promise<Identity> {
  const hub = await store.setting("hub-id");
  const key = await store.setting("hub-key");
  if (hub && key) return { hub, key };
  const made = { hub: randomUUID(), key: randomBytes(32).toString("hex") };
  const kept = store.commit([
    { kind: "setting", key: "hub-id", value: made.hub },
    { kind: "setting", key: "hub-key", value: made.key },
  ]);
  await kept.catch(() => {}); // where nothing can be stored, it is somebody for this once
  return made;
}

export function proveIdentity(identity: Identity, challenge: string, host: string): IdentityProof {
  const proof = createHmac("sha256", Buffer.from(identity.key, "hex"))
    .update(identityText(challenge, host))
    .digest("hex");
  return { hub: identity.hub, proof };
}
