import { readOriginalText } from "../text/copy-marks.ts";
import type { SelectedText } from "./item-mentions.ts";

/** The selected text inside an element, with the item it begins in. Undefined if the selection is elsewhere. */
export function readSelection(
  root: HTMLElement,
): { readonly item?: string; readonly range: Range; readonly selected: SelectedText } | undefined {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!root.contains(range.commonAncestorContainer)) return undefined;
  const start = closestElement(range.startContainer);
  const item = start.closest<HTMLElement>("[data-item]")?.dataset["item"];
  const text = selection.toString();
  const place = closestElement(range.commonAncestorContainer).closest<HTMLElement>("[data-file]");
  const selected = place ? readFileSelection(place, range, text) : { text, lines: [] };
  return { range, selected, ...(item !== undefined && { item }) };
}

/** A selection in a file or diff, extended to whole lines. */
function readFileSelection(place: HTMLElement, range: Range, text: string): SelectedText {
  const file = place.dataset["file"] ?? "";
  const rows = [...place.querySelectorAll<HTMLElement>("tr, .code-line")].filter((row) =>
    range.intersectsNode(row),
  );
  if (rows.length === 0) return { text, file, lines: [] };
  const lines = rows.flatMap((row) => {
    const cells = [...row.querySelectorAll<HTMLElement>("[data-n]")];
    return [row, ...cells].flatMap((one) => Number(one.dataset["n"] ?? 0) || []).slice(-1);
  });
  return { file, lines, text: rows.flatMap(readRow).join("\n") };
}

/** The text of a row, with the sign of a diff and without the words for screen readers. */
function readRow(row: HTMLElement): readonly string[] {
  if (row.matches(".code-line")) return [readOriginalText(row).replace(/\n$/, "")];
  const sides = [...row.querySelectorAll<HTMLElement>("td.code")].map((cell) => {
    const spoken = cell.querySelector(".sr-only")?.textContent ?? "";
    return (cell.dataset["sign"] ?? " ") + readOriginalText(cell).slice(spoken.length);
  });
  // In two columns, unchanged lines appear on both sides.
  return sides[0]?.startsWith(" ") ? sides.slice(-1) : sides;
}

function closestElement(node: Node): Element {
  return node instanceof Element ? node : (node.parentElement ?? document.body);
}
