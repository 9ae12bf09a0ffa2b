import type { Item } from "@signalbox/timeline";
import type { ItemsFrame } from "../src/contract.ts";
import { EPOCH } from "./scripted-hub.ts";

export const SESSION = "22222222-2222-4222-8222-222222222222";

export function notice(order: number, rev = order, text = `item ${order}`): Item {
  return { id: `i${order}`, order, turn: 0, rev, kind: "notice", level: "info", text };
}

/** Creates a text item, which is still being written by default. */
export function spoken(order: number, text: string, rev = order, live = true): Item {
  return { id: `i${order}`, order, turn: 0, rev, kind: "text", text, live };
}

export function itemsFrame(
  items: Item[],
  { rev = 100, more = false, ...rest }: Partial<Omit<ItemsFrame, "items">> = {},
): ItemsFrame {
  return { type: "items", session: SESSION, epoch: EPOCH, rev, items, more, ...rest };
}

export function textFrame(order: number, at: number, text: string) {
  return { type: "text" as const, session: SESSION, item: `i${order}`, at, text };
}
