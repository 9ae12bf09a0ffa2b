import { type ComponentType, lazy, useState } from "react";

/** A view whose code comes later, and what fetches it. */
interface Preloaded<Props> {
  readonly View: ComponentType<Props>;
  readonly fetch: () => Promise<void>;
}

/**
 * What has been fetched is shown in the moment it is wanted: React's own `lazy` shows something else first even
 * then, and a key that comes meanwhile goes nowhere.
 */
export function preloaded<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): Preloaded<Props> {
  let there: ComponentType<Props> | undefined;
  const Late = lazy(load) as ComponentType<Props>;
  return {
    View: function Ahead(props: Props) {
      const [Chosen] = useState(() => there ?? Late); // for as long as it is shown
      return <Chosen {...props} />;
    },
    fetch: async () => {
      there = (await load()).default;
    },
  };
}
