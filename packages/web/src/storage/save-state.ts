const listeners = new Set<() => void>();
let isFailing = false;

/** Whether the browser refuses to store what the page gives it, because its storage is full or forbidden. */
export const saveState = {
  get: (): boolean => isFailing,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** Stores something, and notes whether the browser has stored it. Some browsers refuse by throwing at once. */
export async function noteSaved(write: () => Promise<void>): Promise<void> {
  try {
    await write();
    set(false);
  } catch (failure) {
    set(true);
    throw failure;
  }
}

function set(next: boolean): void {
  if (next === isFailing) return;
  isFailing = next;
  for (const listener of listeners) listener();
}
