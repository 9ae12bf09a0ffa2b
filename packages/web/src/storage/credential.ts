import { generateDeviceKey, type DeviceCredential, upgradeDevice } from "@signalbox/client";
import type { DeviceView, HubIdentity, Paired } from "@signalbox/api";
import type { Database } from "./database.ts";

/**
 * What this browser is to the hub. The private key stays in the browser's own store, which lets the page
 * sign with it and never read it; it is in no address, no title and no text.
 */
export interface Credential {
  readonly device: DeviceView;
  readonly privateKey: CryptoKey;
  readonly hub: HubIdentity;
}

/** What browsers kept before devices had keys. `pending`: the key that it is about to get. */
interface OldCredential {
  readonly token: string;
  readonly device: DeviceView;
  readonly pending?: Pick<Credential, "privateKey" | "hub"> & { readonly publicKey: string };
}

const KEY = "credential";

export async function readCredential(database: Database): Promise<Credential | undefined> {
  const kept = await database.get<Credential | OldCredential>("keys", KEY);
  return kept && "token" in kept ? withCredentialLock(() => upgradeCredential(database)) : kept;
}

export function saveCredential(database: Database, credential: Credential): Promise<void> {
  return database.put("keys", KEY, credential);
}

/** As the client signs with it. */
export function toDeviceCredential({ device, privateKey, hub }: Credential): DeviceCredential {
  return { device: device.id, privateKey, hub };
}

/** Pairs this browser under a key that it has just made. */
export async function pairWithNewKey(
  pair: (publicKey: string) => Promise<Paired>,
): Promise<Credential> {
  const { privateKey, publicKey } = await generateDeviceKey();
  const { device, hub } = await pair(publicKey);
  return { device, hub, privateKey };
}

/** Everything of the hub's leaves this browser with its credential. */
export function clearStorage(database: Database): Promise<void> {
  return database.clear();
}

/** A browser that was paired before devices had keys gets one, once, whichever of its windows comes first. */
async function upgradeCredential(database: Database): Promise<Credential | undefined> {
  const kept = await database.get<Credential | OldCredential>("keys", KEY);
  if (!kept || !("token" in kept)) return kept;
  const { token, device, pending } = kept;
  const { privateKey, publicKey } = pending ?? (await generateDeviceKey());
  try {
    const paired = await upgradeDevice({
      url: location.origin,
      device: device.id,
      token,
      publicKey,
      keep: (hub) =>
        database.put("keys", KEY, { token, device, pending: { privateKey, publicKey, hub } }),
    });
    const credential = { device: paired.device, hub: paired.hub, privateKey };
    await saveCredential(database, credential);
    return credential;
  } catch (failure) {
    // The hub may have taken the key, and only its answer was lost.
    if (!pending) throw failure;
    return { device, hub: pending.hub, privateKey };
  }
}

function withCredentialLock<T>(work: () => Promise<T>): Promise<T> {
  return "locks" in navigator ? navigator.locks.request("signalbox.credential", work) : work();
}
