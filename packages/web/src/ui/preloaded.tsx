import { type ComponentType, lazy, useState } from "react";

/** A lazily loaded view and a function that preloads it. */
interface Preloaded<Props> {
  readonly View: ComponentType<Props>;
  readonly fetch: () => Promise<void>;
}

/**
 * Creates a lazy view that renders immediately once it is loaded. React's `lazy` shows its fallback even
 * then, and a key pressed meanwhile would be lost.
 */
export function preloaded<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): Preloaded<Props> {
  let there: ComponentType<Props> | undefined;
  const Late = lazy(load) as ComponentType<Props>;
  return {
    View: function Ahead(props: Props) {
      const [Chosen] = useState(() => there ?? Late); // The choice does not change while it is mounted.
      return <Chosen {...props} />;
    },
    fetch: async () => {
      there = (await load()).default;
    },
  };
}
