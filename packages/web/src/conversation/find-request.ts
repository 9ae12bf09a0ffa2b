import { signal } from "../store/signal.ts";

/** The session whose find bar is open. */
export const findOpen = signal<string | undefined>(undefined);

/** Opens the find bar of a conversation. Returns true, so that a key handler knows that it did something. */
export function requestFind(session: string): true {
  findOpen.set(session);
  return true;
}

export function closeFind(): void {
  findOpen.set(undefined);
}
