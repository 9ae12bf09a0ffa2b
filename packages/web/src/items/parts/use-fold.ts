import { useCallback, useState } from "react";
import { useItemServices } from "./items-context.tsx";

/** Whether something is unfolded, as the person left it. `initially` applies only the first time. */
export function useFold(key: string, initially: boolean): [boolean, () => void] {
  const { folds } = useItemServices();
  const [open, setOpen] = useState(() => folds.get(key) ?? initially);
  const toggle = useCallback(() => {
    setOpen((was) => {
      folds.set(key, !was);
      return !was;
    });
  }, [folds, key]);
  return [open, toggle];
}
