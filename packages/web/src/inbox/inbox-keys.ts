import type { AskView } from "@signalbox/api";
import { type RefObject, useEffect } from "react";
import { isIntentional } from "../guard/click-guard.ts";
import { isCovered } from "../navigation/is-covered.ts";
import { belongsToTyping } from "../browser/typing.ts";

/** The next or previous id in a list; stops at the ends. */
export function adjacentId(
  ids: readonly string[],
  current: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = current === undefined ? -1 : ids.indexOf(current);
  if (at === -1) return step === 1 ? ids[0] : ids.at(-1);
  return ids[Math.min(ids.length - 1, Math.max(0, at + step))];
}

/** The buttons that keys press in the current entry. */
const keyTargets: Readonly<Record<string, string>> = {
  a: "[data-role=allow], [data-role=unfold], [data-role=to-end]",
  d: "[data-role=deny-words], [data-role=deny-open], [data-role=deny]",
  e: "[data-role=edit]",
  o: "[data-role=open]",
};

interface InboxKeysOptions {
  readonly list: RefObject<HTMLOListElement | null>;
  /** The visible asks. Closed ones are skipped, except the current one. */
  readonly asks: readonly AskView[];
  readonly current: string | undefined;
  readonly choose: (id: string | undefined) => void;
}

/**
 * Keyboard control of the inbox while no dialog is open. Keys press the same guarded buttons as clicks, and
 * only once their entry has been current for as long as the guard requires (C16).
 */
export function useInboxKeys({ list, asks, current, choose }: InboxKeysOptions): void {
  useEffect(() => {
    const entry = (id: string | undefined) =>
      id === undefined ? null : list.current?.querySelector(`[data-entry="${id}"]`);
    const onKey = (event: KeyboardEvent) => {
      if (belongsToTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
      if (isCovered(event.target)) return;
      if (event.key === "j" || event.key === "k") {
        const isThere = ({ id, status }: AskView) => status === "open" || id === current;
        const ids = asks.filter(isThere).map(({ id }) => id);
        const next = adjacentId(ids, current, event.key === "j" ? 1 : -1);
        choose(next);
        entry(next)?.querySelector<HTMLElement>("[data-ask]")?.focus({ preventScroll: true });
        entry(next)?.scrollIntoView({ block: "nearest" });
        return;
      }
      const press = keyTargets[event.key];
      const chosen = entry(current);
      const target = press && chosen?.querySelector<HTMLElement>(press);
      if (!chosen || !target || event.repeat) return;
      if (event.key === "a" && !isIntentional(chosen, event.timeStamp)) return;
      event.preventDefault();
      if (target instanceof HTMLTextAreaElement) target.focus();
      else target.click();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [list, asks, current, choose]);
}
