import { randomInt } from "node:crypto";

const first =
  "amber brave calm dusty early frosty gentle hidden ivory jolly keen lucky mellow noble olive proud quiet rapid silver tidy upper vivid warm young".split(
    " ",
  );
const second =
  "anchor bridge candle dragon engine falcon garden harbour island jacket kettle lantern meadow needle orchard pepper quarry ribbon signal tunnel umbrella valley window zephyr".split(
    " ",
  );

/** Two words and a number that a person can compare on two screens. */
export function createComparisonWords(): string {
  const pick = (list: readonly string[]) => list[randomInt(list.length)];
  return `${pick(first)} ${pick(second)} ${randomInt(10, 100)}`;
}
