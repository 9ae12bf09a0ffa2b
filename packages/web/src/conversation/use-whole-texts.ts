import { useEffect, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { wholeBodies } from "../items/parts/whole-bodies.ts";
import { listCutBodies } from "./find-matches.ts";

/** At most so many characters of long texts are fetched for one search. */
const MAX_CHARACTERS = 20_000_000;

/**
 * Fetches the long texts of which the page has only the ends, one after the other, while something is looked
 * for. Returns how many have been fetched, and whether others follow.
 */
export function useWholeTexts({ watch }: SessionHandle, ids: readonly string[], isWanted: boolean) {
  const { client } = useAppContext();
  const [fetched, setFetched] = useState(0);
  const [isLoading, setLoading] = useState(false);
  useEffect(() => {
    if (!isWanted) return undefined;
    const cancelled = new AbortController();
    const load = async () => {
      let characters = 0;
      const items = ids.flatMap((id) => watch.view.item(id) ?? []);
      const missing = items.flatMap(listCutBodies).filter(({ $blob }) => !wholeBodies.get($blob));
      setLoading(missing.length > 0);
      for (const cut of missing) {
        characters += cut.characters;
        if (cancelled.signal.aborted || characters > MAX_CHARACTERS) break;
        const whole = await client.body(cut).catch(() => undefined);
        if (whole !== undefined) wholeBodies.set(cut.$blob, whole);
        if (!cancelled.signal.aborted) setFetched((count) => count + 1);
      }
      if (!cancelled.signal.aborted) setLoading(false);
    };
    void load();
    return () => cancelled.abort();
  }, [client, watch, ids, isWanted]);
  return { fetched, isLoading };
}
