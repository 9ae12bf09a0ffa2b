import { type Change, type Fence, type Store, StoreError } from "./store.ts";

/**
 * Stores changes, however long the store cannot be written; they and the fence are read at each attempt. What
 * the store refuses for good is refused here, too. Settles without having stored them when it is given up.
 */
export async function commitWhenWritable(
  store: Store,
  changes: () => readonly Change[],
  givenUp: AbortSignal,
  getFence: () => Fence | undefined = () => undefined,
): Promise<void> {
  while (!givenUp.aborted) {
    try {
      await store.commit(changes(), getFence());
      return;
    } catch (failure) {
      if (failure instanceof StoreError && isFinal(failure)) throw failure;
      await waitUntilWritable(store, givenUp);
    }
  }
}

/** Whether the same changes will never be stored. */
function isFinal({ why }: StoreError): boolean {
  return why === "refused" || why === "conflict" || why === "moved";
}

function waitUntilWritable(store: Store, givenUp: AbortSignal): Promise<void> {
  if (store.health.writable) return Bun.sleep(200); // it failed and recovered, or only this one failed
  return new Promise((resolve) => {
    const done = () => {
      leave();
      givenUp.removeEventListener("abort", done);
      resolve();
    };
    const leave = store.onHealth((health) => health.writable && done());
    givenUp.addEventListener("abort", done);
  });
}
