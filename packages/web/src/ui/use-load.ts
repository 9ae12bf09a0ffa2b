import { useCallback, useEffect, useState } from "react";
import { errorMessage } from "@signalbox/protocol/text";

export type LoadState<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "there"; readonly value: T };

/** Loads something from the hub, and again on demand. `load` must stay the same function. */
export function useLoad<T>(load: () => Promise<T>): { state: LoadState<T>; reload: () => void } {
  const [state, setState] = useState<LoadState<T>>({ kind: "loading" });
  const reload = useCallback(() => {
    const ask = async () => {
      try {
        setState({ kind: "there", value: await load() });
      } catch (failure) {
        const why = errorMessage(failure);
        setState({ kind: "failed", why });
      }
    };
    void ask();
  }, [load]);
  useEffect(reload, [reload]);
  return { state, reload };
}
