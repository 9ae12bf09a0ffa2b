import { useEffect, useMemo, useState } from "react";
import { ItemView } from "../items/item-view.tsx";
import { ItemsProvider } from "../items/items-provider.tsx";
import type { ItemServices } from "../items/parts/items-context.tsx";
import type { DisplayItem } from "../text/body.ts";
import { everyForm } from "./sample-texts.ts";

const source = everyForm.repeat(3);
const STEP = 12;

/** With `?grow`, a text that grows by a few characters each frame, as from a model. */
export function StreamingText() {
  const [length, setLength] = useState(0);
  const whole = length >= source.length;
  useEffect(() => {
    if (whole) return undefined;
    const frame = requestAnimationFrame(() => setLength((at) => at + STEP));
    return () => cancelAnimationFrame(frame);
  }, [whole, length]);
  const services = useMemo<ItemServices>(
    () => ({ loadBody: () => Promise.resolve(""), useChildren: () => [], folds: new Map() }),
    [],
  );
  const item: DisplayItem = {
    id: "growing",
    order: 0,
    turn: 1,
    rev: length,
    kind: "text",
    text: source.slice(0, length),
    live: !whole,
  };
  return (
    <section id="growing" data-whole={whole} className="mx-auto max-w-240 p-4">
      <ItemsProvider value={services}>
        <ItemView item={item} />
      </ItemsProvider>
    </section>
  );
}
