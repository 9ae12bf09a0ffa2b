import type { Category } from "./context-usage.ts";

interface Square {
  readonly color: string;
  readonly isFilled: boolean;
  readonly categoryName: string;
  readonly tokens: number;
  readonly percentage: number;
  readonly squareFullness: number;
}

const ROWS = 10;
/** Large windows get longer rows. */
const getColumns = (maxTokens: number): number => (maxTokens >= 1_000_000 ? 20 : 10);

/** Draws the window as squares, row by row: used space, free space, and the reserve at the end. */
export function contextGrid(categories: readonly Category[], maxTokens: number): Square[][] {
  const columns = getColumns(maxTokens);
  const all = ROWS * columns;
  const of = (kind: Category["kind"]) => categories.filter((one) => one.kind === kind);
  const squares = (list: readonly Category[]) =>
    list.flatMap((one) => getSquares(one, maxTokens, all));
  const [used, reserve] = [squares(of("used")), squares(of("buffer"))];
  const room = Math.max(0, all - used.length - reserve.length);
  const free = of("free").flatMap((one) =>
    Array.from({ length: room }, () => square(one, maxTokens, 1)),
  );
  const grid = [...used, ...free, ...reserve].slice(0, all);
  return Array.from({ length: ROWS }, (_, row) => grid.slice(row * columns, (row + 1) * columns));
}

/** Returns the squares of a category, at least one. The last one may be partial. */
function getSquares(category: Category, maxTokens: number, all: number): Square[] {
  const exact = (category.tokens / maxTokens) * all;
  const length = Math.max(1, Math.round(exact));
  return Array.from({ length }, (_, at) => square(category, maxTokens, Math.min(1, exact - at)));
}

function square({ name, color, tokens }: Category, maxTokens: number, fullness: number): Square {
  return {
    color,
    isFilled: true,
    categoryName: name,
    tokens,
    percentage: Math.round((tokens / maxTokens) * 100),
    squareFullness: fullness,
  };
}
