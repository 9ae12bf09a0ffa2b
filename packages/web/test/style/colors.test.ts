import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sessionColors } from "../../src/session-info/colors.ts";
import { contrast, distance, linear, seenWith, visions } from "./color-vision.ts";

const style = join(import.meta.dirname, "../../src/style");
const read = (name: string) => readFileSync(join(style, name), "utf8");
const css = read("session-mark.css");
const tokens = read("tokens.css");

/** The two values of `light-dark()` that follow a text. */
function pair(text: string, after: string): readonly [string, string] {
  const found = /light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/.exec(
    text.slice(text.indexOf(after)),
  );
  return [found?.[1] ?? "", found?.[2] ?? ""];
}

describe.each([
  ["light", 0],
  ["dark", 1],
] as const)("the colours of sessions in %s", (_, scheme) => {
  const shown = sessionColors.map((name) => pair(css, `[data-colour="${name}"]`)[scheme]);
  const surfaces = ["--color-ground:", "--color-panel:"].map((name) => pair(tokens, name)[scheme]);

  test("[PG25] stand out from every surface", () => {
    for (const colour of shown)
      for (const surface of surfaces)
        expect(contrast(linear(colour), linear(surface))).toBeGreaterThanOrEqual(3);
  });

  test.each(Object.entries(visions))("[PG25] are told apart with %s", (_name, vision) => {
    const seen = shown.map((colour) => seenWith(vision, linear(colour)));
    for (const [at, one] of seen.entries())
      for (const other of seen.slice(at + 1))
        expect(distance(one, other)).toBeGreaterThanOrEqual(0.085);
  });
});
