// The page's figures in Chromium, each beside its baseline in the same run: prints one JSON object a figure,
// and exits 1 when a bar is missed. `npm run bench:web -- a d` measures some of them.
import type { Figure } from "../hub/rig.ts";
import { heap } from "./figures/heap.ts";
import { opening } from "./figures/opening.ts";
import { streaming } from "./figures/streaming.ts";
import { weight } from "./figures/weight.ts";

const figures: Record<string, () => Promise<Figure[]>> = {
  a: opening,
  b: streaming,
  c: heap,
  d: weight,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(figures, name));
if (unknown.length > 0) {
  const known = Object.keys(figures).join(", ");
  console.error(`There is no figure ${unknown.join(", ")}. There is: ${known}.`);
  process.exit(2);
}
let passed = true;
for (const [name, measure] of Object.entries(figures)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const figure of await measure()) {
    console.log(JSON.stringify(figure));
    passed &&= figure.passed;
  }
}
console.log(JSON.stringify({ benchmark: "web", runtime: `bun ${Bun.version}`, passed }));
process.exit(passed ? 0 : 1);
