type Painter = (text: string) => string;

/** The text styles. Without colors they change nothing. */
export interface Style {
  readonly dim: Painter;
  readonly bold: Painter;
  readonly green: Painter;
  readonly yellow: Painter;
  readonly red: Painter;
  readonly cyan: Painter;
}

export function createStyle(stream: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): Style {
  const hasColors =
    stream.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  const paint = (on: number, off: number): Painter =>
    hasColors ? (text) => `\x1b[${on}m${text}\x1b[${off}m` : (text) => text;
  return {
    dim: paint(2, 22),
    bold: paint(1, 22),
    green: paint(32, 39),
    yellow: paint(33, 39),
    red: paint(31, 39),
    cyan: paint(36, 39),
  };
}
