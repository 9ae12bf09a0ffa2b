// The hub's figures, each beside its baseline in the same run: prints one JSON object a figure, and exits 1
// when a bar is missed. `npm run bench:hub -- a e` measures some of them.
import { catchUp } from "./figures/catch-up.ts";
import { delay } from "./figures/delay.ts";
import { fanOut } from "./figures/fan-out.ts";
import { idleSessions, memory } from "./figures/memory.ts";
import { opening } from "./figures/opening.ts";
import { liveSessions, longTurn } from "./figures/real-agent.ts";
import { storing } from "./figures/storing.ts";
import { runFigures } from "../run-figures.ts";

await runFigures("hub", {
  a: fanOut,
  b: catchUp,
  c: opening,
  d: memory,
  e: storing,
  f: delay,
  g: longTurn,
  h: liveSessions,
  idle: idleSessions,
});
