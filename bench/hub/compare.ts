// The hub's figures, each beside its baseline in the same run: prints one JSON object a figure, and exits 1
// when a bar is missed. `npm run bench:hub -- a e` measures some of them.
import { catchUp } from "./figures/catch-up.ts";
import { delay } from "./figures/delay.ts";
import { fanOut } from "./figures/fan-out.ts";
import { idleSessions, memory } from "./figures/memory.ts";
import { opening } from "./figures/opening.ts";
import { liveSessions, longTurn } from "./figures/real-agent.ts";
import { storing } from "./figures/storing.ts";
import type { Figure } from "./rig.ts";

const figures: Record<string, () => Promise<Figure[]>> = {
  a: fanOut,
  b: catchUp,
  c: opening,
  d: memory,
  e: storing,
  f: delay,
  g: longTurn,
  h: liveSessions,
  idle: idleSessions,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(figures, name));
if (unknown.length > 0) {
  console.error(
    `There is no figure ${unknown.join(", ")}. There is: ${Object.keys(figures).join(", ")}.`,
  );
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
console.log(JSON.stringify({ benchmark: "hub", runtime: `bun ${Bun.version}`, passed }));
process.exit(passed ? 0 : 1);
