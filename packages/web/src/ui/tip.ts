/** A tooltip: the element it belongs to, and what it says. */
export interface Tip {
  readonly anchor: Element;
  readonly text: string;
}

/** The tooltip of an element. One that only repeats the element's text is needed where that is cut off. */
export function findTip(element: Element): Tip | undefined {
  const text = element.getAttribute("data-tip") ?? "";
  if (text === "" || !element.isConnected) return undefined;
  const isRepeated = element.textContent.trim() === text.trim();
  if (isRepeated && !isCutOff(element)) return undefined;
  return { anchor: element, text };
}

function isCutOff(element: Element): boolean {
  return (
    element.scrollWidth > element.clientWidth ||
    [...element.children].some((child) => child.scrollWidth > child.clientWidth)
  );
}
