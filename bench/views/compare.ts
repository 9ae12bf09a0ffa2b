// The views of a session beside what they are made of: prints one JSON object a figure, and exits 1 when a bar is
// missed. `npm run bench:views -- a c` measures some of them.
import { runFigures } from "../run-figures.ts";
import { changedFile } from "./figures/changed-file.ts";
import { firstList } from "./figures/first-list.ts";
import { openingDiff } from "./figures/opening-diff.ts";

await runFigures("views", {
  a: firstList,
  b: changedFile,
  c: openingDiff,
});
