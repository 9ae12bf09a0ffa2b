import { type RefObject, useLayoutEffect } from "react";

interface Rows {
  /** The selector of the rows' links, in the order in which they stand. */
  readonly links: string;
  /** The selector of this row's link, which may appear at another place of the page. */
  readonly own: string;
}

/**
 * Keeps the focus when the row that has it is removed: it goes to the row's link at its new place, and
 * otherwise to the row after it, the one before it, or the page's heading.
 */
export function useFocusAfterRemoval(row: RefObject<HTMLElement | null>, rows: Rows): void {
  const { links, own } = rows;
  useLayoutEffect(() => {
    const element = row.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const all = [...document.querySelectorAll<HTMLElement>(links)];
      const at = all.findIndex((link) => element.contains(link));
      const neighbors = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0)).toReversed()];
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        const target =
          document.querySelector<HTMLElement>(own) ??
          neighbors.find((link) => link.isConnected) ??
          document.querySelector<HTMLElement>("main [data-home]");
        target?.focus({ preventScroll: true });
      });
    };
  }, [row, links, own]);
}
