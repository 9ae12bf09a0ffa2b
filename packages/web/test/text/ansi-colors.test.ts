import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Style } from "../../src/text/ansi.ts";
import { ansiColors } from "../../src/text/ansi-colors.ts";
import { getContrast, MIN_CONTRAST, ensureContrast, parseHex } from "../../src/text/contrast.ts";

const usual = { light: "#f3f4f6", dark: "#1b1e24" };
/** The values of `light-dark()`, or what lies behind where there is none. */
function both(value: string | undefined): readonly [string, string] {
  const [light = usual.light, dark = usual.dark] = value?.match(/#[0-9a-f]{6}/g) ?? [];
  return [light, dark];
}

const color = fc.oneof(
  fc.integer({ min: 0, max: 15 }),
  fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, "0")}`),
);
const styles = fc.record(
  {
    color,
    background: color,
    dim: fc.constant(true as const),
    inverse: fc.constant(true as const),
  },
  { requiredKeys: [] },
);

test("[PG16] whatever colours a command prints in, its words can be read, light and dark", () => {
  fc.assert(
    fc.property(styles, (style: Style) => {
      const look = ansiColors(style);
      if (look.color === undefined) return;
      const [fronts, backs] = [both(look.color), both(look.backgroundColor)];
      for (const at of [0, 1] as const) {
        const seen = getContrast(parseHex(fronts[at]), parseHex(backs[at]));
        expect(seen).toBeGreaterThanOrEqual(MIN_CONTRAST);
      }
    }),
    { numRuns: 2000 },
  );
});

test("a colour that can be read is left as it is, and what says nothing of colours has none", () => {
  expect(ensureContrast(parseHex("#16803c"), parseHex("#ffffff"))).toEqual(parseHex("#16803c"));
  expect(ansiColors({ bold: true })).toEqual({});
});
