import { type DeviceCredential, generateDeviceKey, pairDevice } from "@signalbox/client";

const STORE = "devices";

/** The device of this page at a hub, if it was paired before. */
export async function readDevice(hub: string): Promise<DeviceCredential | undefined> {
  const database = await open();
  return settle(database.transaction(STORE).objectStore(STORE).get(hub));
}

/** Pairs this page with a hub, by a code for a viewer or a driver. Its key cannot leave the browser. */
export async function pairPage(hub: string, code: string): Promise<DeviceCredential> {
  const { privateKey, publicKey } = await generateDeviceKey();
  const name = `Slides at ${location.host}`;
  const paired = await pairDevice({ url: hub, code, name, publicKey });
  const device = { device: paired.device.id, privateKey, hub: paired.hub };
  const database = await open();
  const store = database.transaction(STORE, "readwrite").objectStore(STORE);
  await settle(store.put(device, hub));
  return device;
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open("slides", 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
  return settle(request);
}

function settle<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result as T));
    request.addEventListener("error", () => reject(request.error ?? new Error("no database")));
  });
}
