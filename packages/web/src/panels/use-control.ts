import type { Session } from "@signalbox/client";
import { useCallback, useEffect, useState } from "react";
import { useWorld } from "../store/app-context.tsx";

export type Answer<T> =
  | { readonly kind: "asking" }
  | { readonly kind: "asleep" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "told"; readonly value: T };

/** Puts a question to the agent's process, as long as it has one; again when asked to. */
export function useControl<T>(
  session: Session,
  subtype: string,
): { answer: Answer<T>; again: () => void } {
  const { client } = useWorld();
  const { id, state } = session;
  const [answer, setAnswer] = useState<Answer<T>>({ kind: "asking" });
  const [nth, setNth] = useState(0);
  const turns = session.summary.turns;
  useEffect(() => {
    if (state !== "running") {
      setAnswer({ kind: "asleep" });
      return undefined;
    }
    let left = false;
    const ask = async () => {
      try {
        const value = await client.control<T>(id, subtype);
        if (!left) setAnswer({ kind: "told", value });
      } catch (failure) {
        const why = failure instanceof Error ? failure.message : String(failure);
        if (!left) setAnswer({ kind: "failed", why });
      }
    };
    void ask();
    return () => {
      left = true;
    };
  }, [client, id, state, subtype, nth, turns]);
  return { answer, again: useCallback(() => setNth((n) => n + 1), []) };
}
