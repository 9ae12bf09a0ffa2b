import { type Change, type Fence, type Store, StoreError } from "./store.ts";

/**
 * Stores changes as soon as the store can be written; changes and fence are read at each attempt.
 * Rejects if the store refuses the changes permanently. If the caller gives up, it settles without
 * having stored them.
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

/** Whether the same changes can never be stored. */
function isFinal({ why }: StoreError): boolean {
  return why === "refused" || why === "conflict" || why === "moved";
}

function waitUntilWritable(store: Store, givenUp: AbortSignal): Promise<void> {
  // the store failed and recovered, or only this commit failed
  if (store.health.writable) return Bun.sleep(200);
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
