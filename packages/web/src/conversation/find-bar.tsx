import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { type SessionHandle, useHasOlder, useWatchValue } from "../store/use-session-handle.ts";
import { strings } from "../strings/strings.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { closeFind } from "./find-request.ts";
import { highlightText } from "./highlight-text.ts";
import { findMatches } from "./find-matches.ts";
import { foundItem } from "../items/parts/found-item.ts";
import { wholeBodies } from "../items/parts/whole-bodies.ts";
import { revealItem } from "./reveal.ts";
import { useWholeTexts } from "./use-whole-texts.ts";
import { isMacKeyboard } from "../keys/key-labels.ts";
import { formatKeys } from "../keys/key-table.ts";

const text = strings.find;
/** How many older items are loaded at a time while the bar is open. */
const PAGE_SIZE = 1000;

/** Finds a text in the whole conversation, including what has not been loaded yet. */
export default function FindBar({ session, handle }: { session: string; handle: SessionHandle }) {
  const [query, setQuery] = useState("");
  const wanted = useDeferredValue(query);
  const ids = useWatchValue(handle, () => handle.watch.view.ids);
  const hasOlder = useHasOlder(handle);
  const [current, setCurrent] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const { fetched, isLoading } = useWholeTexts(handle, ids, wanted.trim() !== "");
  const matches = useMemo(
    () =>
      fetched >= 0 // The texts that were fetched are looked through, too.
        ? findMatches(
            ids,
            (id) => handle.watch.view.item(id),
            wanted,
            (hash) => wholeBodies.get(hash),
          )
        : [],
    [ids, handle, wanted, fetched],
  );
  const isPartial = hasOlder || isLoading;
  useEffect(() => {
    const before = document.activeElement;
    field.current?.focus();
    return () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useLoadAll(handle, wanted.trim() !== "");
  useEffect(() => highlightText(wanted), [wanted]);
  useEffect(
    () => () => {
      closeFind();
      foundItem.set(undefined);
    },
    [],
  );

  const at = current === undefined ? -1 : matches.indexOf(current);
  const go = (step: 1 | -1) => {
    if (matches.length === 0) return;
    const from = at === -1 ? matches.length : at;
    const next = matches[(from + step + matches.length) % matches.length] ?? matches.at(-1);
    if (next === undefined) return;
    setCurrent(next);
    foundItem.set(next);
    revealItem(session, next, true);
  };
  const status =
    wanted.trim() === ""
      ? ""
      : matches.length === 0
        ? isPartial
          ? text.searching
          : text.noMatches
        : at === -1
          ? text.count(matches.length, isPartial)
          : text.position(at + 1, matches.length, isPartial);
  return (
    <div className="find-bar" role="search" data-role="find">
      <Search aria-hidden="true" className="text-dim" />
      <input
        ref={field}
        className="min-w-0 grow bg-transparent text-control outline-none"
        aria-label={text.label}
        placeholder={text.label}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setCurrent(undefined);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") go(event.shiftKey ? 1 : -1);
          else if (event.key === "Escape") closeFind();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span className="shrink-0 text-small text-dim" role="status">
        {status}
      </span>
      <IconButton
        icon={ChevronUp}
        label={text.previous}
        keys={formatKeys("Enter", isMacKeyboard())}
        onClick={() => go(-1)}
      />
      <IconButton
        icon={ChevronDown}
        label={text.next}
        keys={formatKeys("Shift+Enter", isMacKeyboard())}
        onClick={() => go(1)}
      />
      <IconButton
        icon={X}
        label={text.close}
        keys={formatKeys("Escape", isMacKeyboard())}
        onClick={closeFind}
      />
    </div>
  );
}

/** Loads the whole conversation, page by page, while something is looked for. */
function useLoadAll({ watch }: SessionHandle, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const cancelled = new AbortController();
    const load = async () => {
      while (!cancelled.signal.aborted && watch.view.hasOlder) {
        const before = watch.view.ids.length;
        await watch.loadOlder(PAGE_SIZE);
        // Another page was being loaded, and this call has loaded none.
        if (watch.view.ids.length === before) {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    };
    void load().catch(() => undefined); // What was loaded is searched.
    return () => cancelled.abort();
  }, [watch, isWanted]);
}
