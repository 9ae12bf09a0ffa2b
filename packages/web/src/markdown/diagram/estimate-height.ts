/** No diagram is given less, nor more before somebody wants it whole. */
const MIN_HEIGHT = 120;
const MAX_HEIGHT = 520;

/** A line of the source, and what is around them, as they stand until the block is whole. */
const SOURCE_LINE_HEIGHT = 18;
const SOURCE_PADDING = 52;

/**
 * How much room a diagram is given before anybody knows how high it is, in pixels: by its kind and its lines, so
 * that it stays the same once it is drawn. At least as much as its source had, which stood there before it.
 */
export function estimateHeight(code: string): number {
  const lines = code.split("\n").filter((line) => line.trim() !== "" && !/^\s*%%/.test(line));
  const source = SOURCE_PADDING + SOURCE_LINE_HEIGHT * code.split("\n").length;
  const [head = "", ...rest] = lines;
  return Math.round(
    Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, source, estimateByKind(head.trim(), rest.length))),
  );
}

function estimateByKind(head: string, lines: number): number {
  const [kind = "", way = ""] = head.split(/\s+/);
  switch (kind.replace(/-v2$/, "")) {
    case "flowchart":
    case "graph":
      return /^(?:LR|RL)/.test(way) ? 80 + 24 * lines : 80 + 64 * lines;
    case "sequenceDiagram":
      return 160 + 44 * lines;
    case "classDiagram":
    case "stateDiagram":
    case "erDiagram":
      return 80 + 48 * lines;
    case "gantt":
      return 80 + 28 * lines;
    default:
      return 280;
  }
}
