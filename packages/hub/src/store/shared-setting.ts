import { randomUUID } from "node:crypto";
import { type Store, StoreError } from "./store.ts";

/**
 * Reads a setting that is created once, such as an id. If it is missing, it is added; the first
 * value that is stored counts for everyone. While nothing can be stored, the new value lasts as
 * long as the process.
 */
export async function readOrAddSetting(
  store: Store,
  key: string,
  create: () => string,
): Promise<string> {
  const known = await store.setting(key);
  if (known !== undefined) return known;
  const value = create();
  try {
    await store.commit([{ kind: "setting-added", key, value }]);
    return value;
  } catch (failure) {
    const isLate = failure instanceof StoreError && failure.why === "conflict";
    return (isLate && (await store.setting(key))) || value;
  }
}

/**
 * Returns the id of something that exists once per hub machine, such as its own runner. It stays
 * the same in all processes of the hub.
 */
export function readOrAddMachineId(store: Store, name: string): Promise<string> {
  return readOrAddSetting(store, `${name}.${store.machine}`, randomUUID);
}
