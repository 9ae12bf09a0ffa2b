import { useCallback, useEffect, useState } from "react";

export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "there"; readonly value: T };

/** Something of the hub's, and how to ask for it again. `load` must stay the same function. */
export function useLoaded<T>(load: () => Promise<T>): { state: Loaded<T>; again: () => void } {
  const [state, setState] = useState<Loaded<T>>({ kind: "loading" });
  const again = useCallback(() => {
    const ask = async () => {
      try {
        setState({ kind: "there", value: await load() });
      } catch (failure) {
        const why = failure instanceof Error ? failure.message : String(failure);
        setState({ kind: "failed", why });
      }
    };
    void ask();
  }, [load]);
  useEffect(again, [again]);
  return { state, again };
}
