/** Marks (`MarkedText`) represent hidden characters. Copied text contains the characters themselves. */
const selector = ".hidden-mark[data-code]";

function restoreCharacters(marks: Iterable<HTMLElement>): void {
  for (const mark of marks) mark.textContent = String.fromCodePoint(Number(mark.dataset["code"]));
}

/** The original text of an element, without marks. */
export function readOriginalText(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  restoreCharacters(copy.querySelectorAll<HTMLElement>(selector));
  return copy.textContent;
}

/** Handles `copy` events: marks in the selection are replaced by their characters. */
export function copyOriginalText(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || !event.clipboardData) return;
  const marks = [...document.querySelectorAll<HTMLElement>(selector)].filter((mark) =>
    selection.containsNode(mark),
  );
  if (marks.length === 0) return;
  const signs = marks.map((mark) => mark.firstChild);
  restoreCharacters(marks);
  event.clipboardData.setData("text/plain", selection.toString());
  event.preventDefault();
  for (const [at, mark] of marks.entries()) mark.replaceChildren(signs[at] ?? "");
}
