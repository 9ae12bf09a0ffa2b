const NAME = "find";
const CONVERSATION = "[data-role=conversation]";

/** Highlights a text wherever it is drawn in the conversation. Returns a function that stops it. */
export function highlightText(query: string): () => void {
  const wanted = query.toLowerCase();
  const root = document.querySelector(CONVERSATION);
  if (!root || wanted.trim() === "" || !("highlights" in CSS)) return () => undefined;
  let frame = 0;
  const draw = () => {
    CSS.highlights.set(NAME, new Highlight(...findRanges(root, wanted)));
  };
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  });
  observer.observe(root, { childList: true, subtree: true, characterData: true });
  draw();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    CSS.highlights.delete(NAME);
  };
}

function findRanges(root: Element, wanted: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node.nodeValue ?? "").toLowerCase();
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}
