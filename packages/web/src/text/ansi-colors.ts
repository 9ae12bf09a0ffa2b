import type { Style } from "./ansi.ts";
import { toHex, ensureContrast, mixColors, type Rgb, parseHex } from "./contrast.ts";

/** The colors of one theme: background, text, and the 16 ANSI colors. */
interface Scheme {
  readonly behind: Rgb;
  readonly text: Rgb;
  readonly palette: readonly Rgb[];
}

const light: Scheme = scheme(
  "#f3f4f6",
  "#1a1d22",
  "#24282e #c4281c #16803c #8f5600 #1f5fd0 #9a2f9a #0c7a85 #5c636e",
  "#5f6671 #d8392c #1d9348 #a86a00 #3a78e0 #b148b1 #128f9b #3a4049",
);
const dark: Scheme = scheme(
  "#1b1e24",
  "#e4e6ea",
  "#565d68 #ff7a6e #4cc27a #e5b450 #7cabff #dd93dd #5ccad6 #c5cad1",
  "#8b929d #ff968c #74d99a #f5cd7a #a3c4ff #ecb3ec #8be0e9 #f4f5f7",
);

function scheme(behind: string, text: string, ...palette: readonly string[]): Scheme {
  const colors = palette.join(" ").split(" ").map(parseHex);
  return { behind: parseHex(behind), text: parseHex(text), palette: colors };
}

interface AnsiColors {
  readonly color?: string;
  readonly backgroundColor?: string;
}

/** The colors of a run of text in both themes. Unset colors are omitted. */
export function ansiColors(style: Style): AnsiColors {
  const { color, background, dim, inverse } = style;
  if (color === undefined && background === undefined && !dim && !inverse) return {};
  const [inLight, inDark] = [paint(style, light), paint(style, dark)];
  const both = (name: "front" | "back") =>
    `light-dark(${toHex(inLight[name])}, ${toHex(inDark[name])})`;
  return {
    color: both("front"),
    ...((background !== undefined || inverse) && { backgroundColor: both("back") }),
  };
}

function paint(style: Style, { behind, text, palette }: Scheme): { front: Rgb; back: Rgb } {
  const of = (color: number | string | undefined, usual: Rgb) => {
    if (color === undefined) return usual;
    return typeof color === "number" ? (palette[color] ?? usual) : parseHex(color);
  };
  const [front, back] = [of(style.color, text), of(style.background, behind)];
  const [over, under] = style.inverse ? [back, front] : [front, back];
  const wanted = style.dim ? mixColors(over, under, 0.3) : over;
  return { front: ensureContrast(wanted, under), back: under };
}
