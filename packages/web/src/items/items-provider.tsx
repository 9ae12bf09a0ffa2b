import type { ReactNode } from "react";
import { ItemView } from "./item-view.tsx";
import { ItemComponentContext, ItemsContext, type ItemServices } from "./parts/items-context.tsx";

/** Gives the views of items what they need from the page. `value` must stay the same object between renders. */
export function ItemsProvider({ value, children }: { value: ItemServices; children: ReactNode }) {
  return (
    <ItemsContext value={value}>
      <ItemComponentContext value={ItemView}>{children}</ItemComponentContext>
    </ItemsContext>
  );
}
