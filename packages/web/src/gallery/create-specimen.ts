import type { ItemBody } from "@signalbox/timeline";
import type { DisplayItem } from "../text/body.ts";
import { classifyItem, type Specimen } from "./specimens.ts";

let made = 0;

/** Creates an item for the gallery and classifies it. */
export function createSpecimen(
  body: ItemBody,
  group?: string,
  story: readonly DisplayItem[] = [],
): Specimen {
  const item = { ...createItemBase(), at: Date.now() - 75_000, ...body };
  const place = classifyItem(item);
  return { ...place, ...(group !== undefined && { group }), from: "made by hand", item, story };
}

/** The fields that every item has. */
export function createItemBase() {
  return { id: `made-${++made}`, order: made, turn: 1, rev: 1 };
}
