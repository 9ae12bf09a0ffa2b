import { generateDeviceKey, type DeviceCredential, upgradeDevice } from "@signalbox/client";
import type { DeviceView, HubIdentity, PairedDevice } from "@signalbox/api";
import type { Database } from "./database.ts";

/**
 * This browser's credential for the hub. The private key cannot be extracted: the page can sign with it but
 * never read it.
 */
export interface Credential {
  readonly device: DeviceView;
  readonly privateKey: CryptoKey;
  readonly hub: HubIdentity;
}

/**
 * The credential of browsers that were paired before devices had keys. `pending`: the key that is being
 * registered.
 */
interface OldCredential {
  readonly token: string;
  readonly device: DeviceView;
  readonly pending?: Pick<Credential, "privateKey" | "hub"> & { readonly publicKey: string };
}

const KEY = "credential";

export async function readCredential(database: Database): Promise<Credential | undefined> {
  const storedCredential = await database.get<Credential | OldCredential>("keys", KEY);
  return storedCredential && "token" in storedCredential
    ? withCredentialLock(() => upgradeCredential(database))
    : storedCredential;
}

export function saveCredential(database: Database, credential: Credential): Promise<void> {
  return database.put("keys", KEY, credential);
}

/** The credential in the form that the client uses. */
export function toDeviceCredential({ device, privateKey, hub }: Credential): DeviceCredential {
  return { device: device.id, privateKey, hub };
}

/** Creates a key and pairs this browser with it. */
export async function pairWithNewKey(
  pair: (publicKey: string) => Promise<PairedDevice>,
): Promise<Credential> {
  const { privateKey, publicKey } = await generateDeviceKey();
  const { device, hub } = await pair(publicKey);
  return { device, hub, privateKey };
}

/** Removes the credential and everything else that is stored of the hub. */
export function clearStorage(database: Database): Promise<void> {
  return database.clear();
}

/** Gives a key to a browser that was paired before devices had keys. Only one window does it. */
async function upgradeCredential(database: Database): Promise<Credential | undefined> {
  const storedCredential = await database.get<Credential | OldCredential>("keys", KEY);
  if (!storedCredential || !("token" in storedCredential)) return storedCredential;
  const { token, device, pending } = storedCredential;
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
    // The hub may have accepted the key although its answer was lost.
    if (!pending) throw failure;
    return { device, hub: pending.hub, privateKey };
  }
}

function withCredentialLock<T>(work: () => Promise<T>): Promise<T> {
  return "locks" in navigator ? navigator.locks.request("signalbox.credential", work) : work();
}
