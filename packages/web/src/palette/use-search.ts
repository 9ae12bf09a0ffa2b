import type { SearchResults } from "@signalbox/api";
import { useEffect, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";

/** Typing that goes on so quickly is not looked up letter by letter. */
const DELAY_MS = 120;
const MAX_HITS = 30;
const MIN_CHARACTERS = 2;

type SearchState =
  | { readonly kind: "off" }
  | { readonly kind: "searching"; readonly last: SearchResults | undefined }
  | { readonly kind: "failed" }
  | { readonly kind: "there"; readonly results: SearchResults };

/** Looks for messages while somebody types. What was found last stays until there is something else. */
export function useSearch(query: string): SearchState {
  const { client } = useAppContext();
  const [state, setState] = useState<SearchState>({ kind: "off" });
  const isWanted = query.trim().length >= MIN_CHARACTERS;
  useEffect(() => {
    if (!isWanted) {
      setState({ kind: "off" });
      return undefined;
    }
    let isOver = false;
    setState((before) => ({
      kind: "searching",
      last: before.kind === "there" ? before.results : lastResults(before),
    }));
    const search = async () => {
      try {
        const results = await client.search(query, { limit: MAX_HITS });
        if (!isOver) setState({ kind: "there", results });
      } catch {
        if (!isOver) setState({ kind: "failed" });
      }
    };
    const timer = setTimeout(() => void search(), DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, query, isWanted]);
  return state;
}

function lastResults(state: SearchState): SearchResults | undefined {
  return state.kind === "searching" ? state.last : undefined;
}

/** What is shown: the results, or those of the text before while others are looked for. */
export function getShownResults(state: SearchState): SearchResults | undefined {
  if (state.kind === "there") return state.results;
  return lastResults(state);
}
