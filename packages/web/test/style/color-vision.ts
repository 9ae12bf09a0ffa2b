/** Colours as people see them, also those who see two of the three basic colours only. */
export type Rgb = readonly [number, number, number];

type Matrix = readonly [Rgb, Rgb, Rgb];

/** G. Machado, M. Oliveira, L. Fernandes (2009), severity 1, for linear RGB. */
export const visions: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Linear RGB of `#rrggbb`. */
export function linear(hex: string): Rgb {
  const at = (place: number) => {
    const value = Number.parseInt(hex.slice(place, place + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [at(1), at(3), at(5)];
}

const dot = (a: Rgb, b: Rgb) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (matrix: Matrix, colour: Rgb): Rgb => [
  dot(matrix[0], colour),
  dot(matrix[1], colour),
  dot(matrix[2], colour),
];

export function seenWith(vision: Matrix, colour: Rgb): Rgb {
  const [r, g, b] = times(vision, colour);
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return [within(r), within(g), within(b)];
}

/** The contrast of WCAG 2. */
export function contrast(a: Rgb, b: Rgb): number {
  const light = (colour: Rgb) => dot([0.2126, 0.7152, 0.0722], colour) + 0.05;
  return Math.max(light(a), light(b)) / Math.min(light(a), light(b));
}

/** How far apart two colours look: the distance in Oklab, where 0.02 is just seen side by side. */
export function distance(a: Rgb, b: Rgb): number {
  const [one, other] = [oklab(a), oklab(b)];
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

function oklab(colour: Rgb): Rgb {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    colour,
  );
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(cones[0]), Math.cbrt(cones[1]), Math.cbrt(cones[2])],
  );
}
