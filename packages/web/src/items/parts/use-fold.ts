import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { useSignal } from "../../store/signal.ts";
import { foundItem, isFoldIn } from "./found-item.ts";
import { useItemServices } from "./items-context.tsx";

/**
 * Whether something is unfolded, as the person left it. `initially` applies only the first time. What the
 * person has gone to in the find bar unfolds.
 */
export function useFold(key: string, initially: boolean): [boolean, () => void] {
  const { folds } = useItemServices();
  const [open, setOpen] = useState(() => folds.get(key) ?? initially);
  const isFound = isFoldIn(useSignal(foundItem), key);
  const toggle = useCallback(() => {
    setOpen((was) => {
      folds.set(key, !was);
      return !was;
    });
  }, [folds, key]);
  const unfold = useEffectEvent(() => {
    if (!open) toggle();
  });
  useEffect(() => {
    if (isFound) unfold();
  }, [isFound]);
  return [open, toggle];
}
