import { useCallback, useMemo, useState, useSyncExternalStore } from "react";
import { emptyDraft } from "./drafts.ts";
import { useAppContext } from "./app-context.tsx";

/** What is being written into a form: like a draft it outlives the view, the page, and leaving either. */
export function useFormDraft<T>(name: string, initial: T): [T, (value: T | undefined) => void] {
  const { drafts } = useAppContext();
  const [first] = useState(initial);
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get(name).text);
  const value = useMemo(() => (text === "" ? first : (JSON.parse(text) as T)), [text, first]);
  const keep = useCallback(
    (next: T | undefined) =>
      drafts.set(
        name,
        next === undefined ? emptyDraft : { ...emptyDraft, text: JSON.stringify(next) },
      ),
    [drafts, name],
  );
  return [value, keep];
}

/** The draft of a form that answers an ask. */
export function askDraftName(ask: string, form: "deny" | "answers" | "fields" | "details"): string {
  return `ask/${ask}/${form}`;
}

/** The ask that a draft is about. */
export function parseAskDraftName(name: string): string | undefined {
  const [kind, ask] = name.split("/");
  return kind === "ask" ? ask : undefined;
}

/** The draft of the first prompt of a session that is not made yet. */
export const NEW_SESSION_DRAFT = "new-session";
