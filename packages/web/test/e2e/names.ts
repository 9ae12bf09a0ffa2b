import type { Page } from "playwright-core";

/**
 * Where words stand apart on the screen and are one word to a screen reader: two texts in one line with a
 * gap between them, both inline, and no space in either. Gives them as they are read out.
 */
export function runTogether(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const GAP = 2;
    const named = "button, a, label, legend, h1, h2, h3, h4, li, p, summary, [role]";
    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    const getRects = (text: Text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return [...range.getClientRects()].filter(({ width }) => width > 0);
    };
    /** Whether no element from the text up to their common one starts a box of its own. */
    const inline = (text: Text, common: Node) => {
      for (let at = text.parentElement; at && at !== common; at = at.parentElement) {
        if (getComputedStyle(at).display !== "inline") return false;
      }
      return true;
    };
    const found: string[] = [];
    for (const [nth, before] of texts.entries()) {
      const after = texts[nth + 1];
      if (!after || /\s$/.test(before.data) || /^\s/.test(after.data)) continue;
      const range = document.createRange();
      range.setStart(before, 0);
      range.setEnd(after, after.length);
      const common = range.commonAncestorContainer;
      const element = common instanceof Element ? common : common.parentElement;
      if (!element?.closest(named) || !inline(before, common) || !inline(after, common)) continue;
      const left = getRects(before).at(-1);
      const right = getRects(after).at(0);
      if (!left || !right || left.bottom < right.top || right.bottom < left.top) continue;
      if (right.left - left.right > GAP) found.push(before.data + after.data);
    }
    return found;
  });
}

/** What a thumb can hardly hit: controls in sight that are less than 44 pixels high, by name. */
export function tooLow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const MOST = 44;
    const controls = document.querySelectorAll<HTMLElement>(
      "button, a[href], input, select, textarea, summary, [role=tab], [role=option], [role=menuitem]",
    );
    const getHeight = (control: HTMLElement) => {
      // A box to tick is hit by its words, and a tile by all of it.
      const label = control.closest("label")?.getBoundingClientRect().height ?? 0;
      const after = getComputedStyle(control, "::after");
      const reach = after.position === "absolute" ? Number.parseFloat(after.height) || 0 : 0;
      return Math.max(control.getBoundingClientRect().height, label, reach);
    };
    return [...controls]
      .filter(
        (control) =>
          control.checkVisibility() && !control.closest(".prose, p, .sr-only, [aria-hidden=true]"),
      )
      .filter((control) => Math.round(getHeight(control)) < MOST)
      .map((control) => {
        const name = control.getAttribute("aria-label") ?? control.textContent ?? "";
        return `${control.tagName.toLowerCase()} ${name.slice(0, 40)}: ${getHeight(control)}`;
      });
  });
}

/** By how many pixels the page is wider and higher than its window; what is long scrolls inside of it. */
export function beyondWindow(page: Page): Promise<[number, number]> {
  return page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    const main = document.querySelector("main");
    const wide = main ? main.scrollWidth - main.clientWidth : 0;
    return [Math.max(wide, scrollWidth - innerWidth), scrollHeight - innerHeight];
  });
}
