import type { Item } from "@signalbox/timeline";
import { pickNewer } from "./growing.ts";

/** Items by id, in order. An item that did not change stays the same object. */
export class OrderedItems {
  readonly #items = new Map<string, Item>();
  readonly #ids: string[] = [];
  #lastIds: readonly string[] | undefined;

  get size(): number {
    return this.#ids.length;
  }

  /** The ids in order. The array stays the same until an item is added or removed. */
  get ids(): readonly string[] {
    return (this.#lastIds ??= [...this.#ids]);
  }

  get(id: string): Item | undefined {
    return this.#items.get(id);
  }

  /** The position of the first item; Infinity if there is none. */
  get floor(): number {
    return this.#orderAt(0);
  }

  /** Adds or updates an item. Returns whether that changed anything. */
  put(item: Item): boolean {
    const current = this.#items.get(item.id);
    const newest = current ? pickNewer(current, item) : item;
    if (newest === current) return false;
    this.#items.set(item.id, newest);
    if (!current) this.#insert(item);
    return true;
  }

  /** Replaces an item even if the revision is the same, because the item's text was read again. */
  replace(item: Item): void {
    if (this.#items.has(item.id)) this.#items.set(item.id, item);
    else this.put(item);
  }

  /** Keeps only the last items. Returns whether there were more. */
  trimToLast(count: number): boolean {
    const removedIds = this.#ids.splice(0, Math.max(0, this.#ids.length - count));
    for (const id of removedIds) this.#items.delete(id);
    if (removedIds.length > 0) this.#lastIds = undefined;
    return removedIds.length > 0;
  }

  #insert({ id, order }: Item): void {
    let [low, high] = [0, this.#ids.length];
    if (high > 0 && order > this.#orderAt(high - 1)) low = high; // This is the usual case.
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#orderAt(middle) < order) low = middle + 1;
      else high = middle;
    }
    this.#ids.splice(low, 0, id);
    this.#lastIds = undefined;
  }

  #orderAt(place: number): number {
    return this.#items.get(this.#ids[place] ?? "")?.order ?? Infinity;
  }
}
