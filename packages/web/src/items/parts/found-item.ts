import { signal } from "../../store/signal.ts";

/** The item to which a person has gone in the find bar: it is shown unfolded. */
export const foundItem = signal<string | undefined>(undefined);

/** Whether a fold belongs to an item. */
export function isFoldIn(item: string | undefined, key: string): boolean {
  return item !== undefined && (key === item || key.startsWith(`${item}/`));
}
