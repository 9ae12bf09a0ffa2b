/** A terminal's size in cells. */
export interface GridSize {
  readonly cols: number;
  readonly rows: number;
}

/** A size on the screen, in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

const MIN_COLS = 20;
const MIN_ROWS = 5;
/** Larger terminals are cut by the machine ([TM6]). */
const MAX_COLS = 500;
const MAX_ROWS = 300;

/** How many whole cells fit into a box. Undefined while the box or the cell is not laid out. */
export function fitGrid(box: PixelSize, cell: PixelSize): GridSize | undefined {
  if (!(box.width > 0 && box.height > 0 && cell.width > 0 && cell.height > 0)) return undefined;
  return {
    cols: clamp(Math.floor(box.width / cell.width), MIN_COLS, MAX_COLS),
    rows: clamp(Math.floor(box.height / cell.height), MIN_ROWS, MAX_ROWS),
  };
}

/** Text that is smaller cannot be read: then the terminal is scrolled instead. */
const MIN_SCALE = 0.5;

/** How much a terminal of another viewer's size is scaled down to be seen whole; it is never enlarged. */
export function scaleToFit(box: PixelSize, screen: PixelSize): number {
  if (!(box.width > 0 && box.height > 0 && screen.width > 0 && screen.height > 0)) return 1;
  const scale = Math.min(1, box.width / screen.width, box.height / screen.height);
  return Math.max(MIN_SCALE, scale);
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));
