import type { CutBody } from "@signalbox/api";
import { useCallback, useRef, useState } from "react";
import { type Body, isCut } from "../../text/body.ts";
import { useItemServices } from "./items-context.tsx";
import { errorMessage } from "@signalbox/protocol/text";
import { wholeBodies } from "./whole-bodies.ts";

export type BodyState =
  | { readonly kind: "whole"; readonly text: string }
  | {
      readonly kind: "cut";
      readonly cut: CutBody;
      readonly loading: boolean;
      readonly problem?: string;
    };

/**
 * A body that may be truncated, and a function that loads the rest. A text that was shown whole while it was
 * written stays whole when the hub sends it again with only its ends.
 */
export function useBody(body: Body): { state: BodyState; load: () => void } {
  const { loadBody } = useItemServices();
  const [, setLoaded] = useState<string>();
  const [loading, setLoading] = useState(false);
  const [problem, setProblem] = useState<string>();
  const written = useRef<string>(undefined);
  const hash = isCut(body) ? body.$blob : undefined;
  const load = useCallback(() => {
    if (hash === undefined) return;
    const fetchIt = async () => {
      setLoading(true);
      setProblem(undefined);
      try {
        wholeBodies.set(hash, await loadBody(hash));
        setLoaded(hash);
      } catch (error) {
        setProblem(errorMessage(error));
      } finally {
        setLoading(false);
      }
    };
    void fetchIt();
  }, [hash, loadBody]);
  if (!isCut(body)) {
    written.current = body;
    return { state: { kind: "whole", text: body }, load };
  }
  const whole = wholeBodies.get(body.$blob) ?? wholeBodies.keep(body, written.current);
  if (whole !== undefined) return { state: { kind: "whole", text: whole }, load };
  return {
    state: { kind: "cut", cut: body, loading, ...(problem !== undefined && { problem }) },
    load,
  };
}
