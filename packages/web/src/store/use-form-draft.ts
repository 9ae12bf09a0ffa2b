import { useCallback, useMemo, useState, useSyncExternalStore } from "react";
import { emptyDraft } from "./drafts.ts";
import { useAppContext } from "./app-context.tsx";

/** The content of a form. Like a draft, it survives leaving the view and the page. */
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

/** The name of the draft of a form that answers an ask. */
export function askDraftName(
  ask: string,
  form: "deny" | "answers" | "fields" | "details" | "comments" | "plan",
): string {
  return `ask/${ask}/${form}`;
}

/** The ask that a draft belongs to. */
export function parseAskDraftName(name: string): string | undefined {
  const [kind, ask] = name.split("/");
  return kind === "ask" ? ask : undefined;
}
