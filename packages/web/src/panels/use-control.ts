import type { Session } from "@signalbox/client";
import { useCallback, useEffect, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { errorMessage } from "@signalbox/protocol/text";

export type PanelAnswer<T> =
  | { readonly kind: "asking" }
  | { readonly kind: "asleep" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "told"; readonly value: T };

/** Sends a control request to the running agent, and again on demand. */
export function useControl<T>(
  session: Session,
  subtype: string,
): { answer: PanelAnswer<T>; reload: () => void } {
  const { client } = useAppContext();
  const { id, state } = session;
  const [answer, setAnswer] = useState<PanelAnswer<T>>({ kind: "asking" });
  const [nth, setNth] = useState(0);
  const turns = session.summary.turns;
  useEffect(() => {
    if (state !== "running") {
      setAnswer({ kind: "asleep" });
      return undefined;
    }
    let cancelled = false;
    const ask = async () => {
      try {
        const value = await client.control<T>(id, subtype);
        if (!cancelled) setAnswer({ kind: "told", value });
      } catch (failure) {
        const why = errorMessage(failure);
        if (!cancelled) setAnswer({ kind: "failed", why });
      }
    };
    void ask();
    return () => {
      cancelled = true;
    };
  }, [client, id, state, subtype, nth, turns]);
  return { answer, reload: useCallback(() => setNth((n) => n + 1), []) };
}
