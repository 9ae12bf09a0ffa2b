// The page's figures in Chromium, each beside its baseline in the same run: prints one JSON object a figure,
// and exits 1 when a bar is missed. `npm run bench:web -- a d` measures some of them.
import { heap } from "./figures/heap.ts";
import { interactive } from "./figures/interactive.ts";
import { longAnswer } from "./figures/long-answer.ts";
import { opening } from "./figures/opening.ts";
import { rest } from "./figures/rest.ts";
import { sidebar } from "./figures/sidebar.ts";
import { streaming } from "./figures/streaming.ts";
import { switching } from "./figures/switching.ts";
import { traffic } from "./figures/traffic.ts";
import { weight } from "./figures/weight.ts";
import { runFigures } from "../run-figures.ts";

await runFigures("web", {
  a: opening,
  b: streaming,
  c: heap,
  d: weight,
  e: interactive,
  f: longAnswer,
  g: traffic,
  i: switching,
  j: rest,
  k: sidebar,
});
