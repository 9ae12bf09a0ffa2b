/** The smallest and largest initial height of a diagram, in pixels. */
const MIN_HEIGHT = 120;
const MAX_HEIGHT = 520;

/** The height of a source line and of the frame around the source, in pixels. */
const SOURCE_LINE_HEIGHT = 18;
const SOURCE_PADDING = 52;

/**
 * Estimates the height of a diagram, in pixels, from its kind and its number of lines, so that nothing moves
 * once it is drawn. It is at least the height of the source that was shown before.
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
