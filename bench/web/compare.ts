// The page's figures in Chromium, each beside its baseline in the same run: prints one JSON object a figure,
// and exits 1 when a bar is missed. `npm run bench:web -- a d` measures some of them.
import { heap } from "./figures/heap.ts";
import { opening } from "./figures/opening.ts";
import { streaming } from "./figures/streaming.ts";
import { weight } from "./figures/weight.ts";
import { runFigures } from "../run-figures.ts";

await runFigures("web", {
  a: opening,
  b: streaming,
  c: heap,
  d: weight,
});
