import type { CutBody } from "@signalbox/api";
import { useCallback, useState } from "react";
import { type Body, isCut } from "../../text/body.ts";
import { useItemServices } from "./items-context.tsx";
import { errorMessage } from "../../text/error-message.ts";

export type BodyState =
  | { readonly kind: "whole"; readonly text: string }
  | {
      readonly kind: "cut";
      readonly cut: CutBody;
      readonly loading: boolean;
      readonly problem?: string;
    };

/** A body that may be truncated, and a function that loads the rest. */
export function useBody(body: Body): { state: BodyState; load: () => void } {
  const { loadBody } = useItemServices();
  const [loaded, setLoaded] = useState<{ hash: string; text: string }>();
  const [loading, setLoading] = useState(false);
  const [problem, setProblem] = useState<string>();
  const hash = isCut(body) ? body.$blob : undefined;
  const load = useCallback(() => {
    if (hash === undefined) return;
    const fetchIt = async () => {
      setLoading(true);
      setProblem(undefined);
      try {
        setLoaded({ hash, text: await loadBody(hash) });
      } catch (error) {
        setProblem(errorMessage(error));
      } finally {
        setLoading(false);
      }
    };
    void fetchIt();
  }, [hash, loadBody]);
  if (!isCut(body)) return { state: { kind: "whole", text: body }, load };
  if (loaded?.hash === body.$blob) return { state: { kind: "whole", text: loaded.text }, load };
  return {
    state: { kind: "cut", cut: body, loading, ...(problem !== undefined && { problem }) },
    load,
  };
}
