import { rmSync } from "node:fs";
import { join } from "node:path";
import { figure, type Figure } from "../../hub/rig.ts";
import { median } from "../../web/median.ts";
import { openViewStage } from "../stage.ts";

const LARGE = 5000;
const SMALL = 50;
const ROUNDS = 9;
const MAX_NODES = 3000;
const BAR = 2;

const lines = (count: number) =>
  Array.from({ length: count }, (_, nth) => `export const value${nth} = compute(${nth});\n`).join(
    "",
  );

/** (c) A long change beside a short one: how long until its lines are seen, and what stands in the document. */
export async function openingDiff(): Promise<Figure[]> {
  const files = { large: "large.ts", small: "small.ts" };
  await using stage = await openViewStage([
    [files.large, lines(LARGE)],
    [files.small, lines(SMALL)],
  ]);
  // The changes of deleted files are folded and loaded when they are opened.
  for (const file of Object.values(files)) rmSync(join(stage.root, file));
  const { rig } = stage;
  const times = { large: [] as number[], small: [] as number[] };
  let nodes = 0;
  for (let round = -2; round < ROUNDS; round++) {
    for (const which of ["large", "small"] as const) {
      await stage.show(files[which]);
      const took = await rig.tab.evaluate(
        (file) =>
          new Promise<number>((resolve) => {
            const start = performance.now();
            const look = () => {
              if (document.querySelector(".change-line")) resolve(performance.now() - start);
              else requestAnimationFrame(look);
            };
            const header = document.querySelector(`[data-change-file="${file}"]`);
            header?.querySelector<HTMLElement>("[data-role=toggle-change]")?.click();
            look();
          }),
        files[which],
      );
      if (round < 0) continue; // the first ones warm the caches of both
      times[which].push(took);
      if (which === "large") nodes = Math.max(nodes, await rig.nodes());
    }
  }
  return [
    figure({
      figure: "c",
      what: `time from the click until a change of ${LARGE} lines is seen (median of ${ROUNDS})`,
      unit: "milliseconds",
      ours: median(times.large),
      baseline: median(times.small),
      baselineIs: `one of ${SMALL} lines`,
      bar: BAR,
      better: "lower",
    }),
    figure({
      figure: "c",
      what: `elements in the document with a change of ${LARGE} lines open`,
      unit: "elements",
      ours: nodes,
      baseline: MAX_NODES,
      baselineIs: "the most there may be",
      bar: 1,
      better: "lower",
    }),
  ];
}
