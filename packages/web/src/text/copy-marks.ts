/** Marks stand for characters (`Marked`). What leaves the page has the characters in their places. */
const selector = ".hidden-mark[data-code]";

function restoreCharacters(marks: Iterable<HTMLElement>): void {
  for (const mark of marks) mark.textContent = String.fromCodePoint(Number(mark.dataset["code"]));
}

/** The text of an element as it was written. */
export function readOriginalText(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  restoreCharacters(copy.querySelectorAll<HTMLElement>(selector));
  return copy.textContent;
}

/** Listens to `copy`: for that moment each mark in the selection holds its character. */
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
