/**
 * Keeps the colors of command output readable, as terminals with a minimum contrast do: a color is moved
 * towards black or white until it contrasts with its background.
 */
export type Rgb = readonly [number, number, number];

/** The contrast that WCAG 2 requires for text. */
export const MIN_CONTRAST = 4.5;
const STEPS = 16;
const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

export function parseHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function toHex(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

export function mixColors(a: Rgb, b: Rgb, share: number): Rgb {
  const part = (nth: 0 | 1 | 2) => Math.round(a[nth] + (b[nth] - a[nth]) * share);
  return [part(0), part(1), part(2)];
}

export function getContrast(a: Rgb, b: Rgb): number {
  const [one, other] = [luminance(a) + 0.05, luminance(b) + 0.05];
  return Math.max(one, other) / Math.min(one, other);
}

/** The closest color that is readable on a background. */
export function ensureContrast(color: Rgb, behind: Rgb): Rgb {
  const end = getContrast(black, behind) > getContrast(white, behind) ? black : white;
  for (let step = 0; step < STEPS; step++) {
    const moved = mixColors(color, end, step / STEPS);
    if (getContrast(moved, behind) >= MIN_CONTRAST) return moved;
  }
  return end;
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
