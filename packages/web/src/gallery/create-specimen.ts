import type { ItemBody } from "@signalbox/timeline";
import type { ShownItem } from "../text/body.ts";
import { placeOf, type Specimen } from "./specimens.ts";

let made = 0;

/** An item made by hand, with where it stands in the gallery. */
export function specimen(
  body: ItemBody,
  group?: string,
  story: readonly ShownItem[] = [],
): Specimen {
  const item = { ...placed(), at: Date.now() - 75_000, ...body };
  const place = placeOf(item);
  return { ...place, ...(group !== undefined && { group }), from: "made by hand", item, story };
}

/** What every item has, besides its body. */
export function placed() {
  return { id: `made-${++made}`, order: made, turn: 1, rev: 1 };
}
