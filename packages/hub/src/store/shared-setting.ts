import { randomUUID } from "node:crypto";
import { type Store, StoreError } from "./store.ts";

/**
 * Reads a setting that is made once, such as an id. If it is missing, it is added; whoever adds it first
 * decides for all. While nothing can be stored, the new value lasts as long as the process.
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
 * The id of something that each hub's machine has one of, such as its own runner. It stays the same over all
 * processes of the hub.
 */
export function readOrAddMachineId(store: Store, name: string): Promise<string> {
  return readOrAddSetting(store, `${name}.${store.machine}`, randomUUID);
}
