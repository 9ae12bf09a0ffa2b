import { renderToStaticMarkup } from "react-dom/server";
import { recordings } from "../../build/recorded-items.ts";
import { handmadeSpecimens } from "../../src/gallery/handmade-specimens.ts";
import { ItemView } from "../../src/items/item-view.tsx";
import { ItemsProvider } from "../../src/items/items-provider.tsx";
import type { ItemServices } from "../../src/items/parts/items-context.tsx";
import type { DisplayItem } from "../../src/text/body.ts";

/** Everything open, so that nothing escapes a test by being folded. */
class AllOpen extends Map<string, boolean> {
  override get(): boolean {
    return true;
  }
}

/** The markup of an item with all of its folds open, or as `folds` say. A view that fails throws here. */
export function markup(
  item: DisplayItem,
  story: readonly DisplayItem[] = [],
  folds: Map<string, boolean> = new AllOpen(),
): string {
  const services: ItemServices = {
    loadBody: () => Promise.reject(new Error("nothing is fetched here")),
    useChildren: (callId) => story.filter(({ parent, id }) => parent === callId && id !== callId),
    folds,
    folder: "/home/dev/demo",
  };
  return renderToStaticMarkup(
    <ItemsProvider value={services}>
      <ItemView item={item} />
    </ItemsProvider>,
  );
}

/** Items of every kind and state: recorded ones and those made by hand, without the one that is broken. */
export function everyItem(): { item: DisplayItem; story: readonly DisplayItem[] }[] {
  const recorded = recordings().flatMap(({ items }) =>
    items.map((item) => ({ item, story: items })),
  );
  const made = handmadeSpecimens().filter(({ group }) => group !== "broken");
  return [...recorded, ...made];
}
