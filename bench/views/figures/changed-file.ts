import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { join } from "node:path";
import { figure, type Figure } from "../../hub/rig.ts";
import { openViewStage, percentile } from "../stage.ts";

const ROUNDS = 40;
/** Longer than the pause between two reports of the watcher, as when a person or an agent writes. */
const PAUSE_MS = 400;
const BAR = 3;
const FILE = "src/counter.ts";

/** (b) A file that changes while it is looked at, beside the least that can be done: watch it and ask Git. */
export async function changedFile(): Promise<Figure[]> {
  const before = Array.from({ length: 200 }, (_, nth) => `export const line${nth} = ${nth};\n`);
  await using stage = await openViewStage([[FILE, before.join("")]]);
  const { rig, root, write } = stage;
  const text = (mark: string) => `${before.join("")}export const mark = "${mark}";\n`;
  write(FILE, text("first"));
  await stage.show("first");
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await Bun.sleep(PAUSE_MS);
    const mark = `shown-${round}`;
    const seen = rig.tab.evaluate(
      (wanted) =>
        new Promise<number>((resolve) => {
          const look = () => {
            if (!document.querySelector(".change-scroller")?.textContent?.includes(wanted)) return;
            observer.disconnect();
            resolve(performance.timeOrigin + performance.now());
          };
          const observer = new MutationObserver(look);
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        }),
      mark,
    );
    await rig.tab.evaluate(() => undefined); // the page observes by now
    const start = performance.timeOrigin + performance.now();
    write(FILE, text(mark));
    ours.push((await seen) - start);
    await Bun.sleep(PAUSE_MS);
    bare.push(await watchBare(root, () => write(FILE, text(`bare-${round}`))));
  }
  return [
    figure({
      figure: "b",
      what: `time from a file's change until the page shows it (p95 of ${ROUNDS})`,
      unit: "milliseconds",
      ours: percentile(ours, 0.95),
      baseline: percentile(bare, 0.95),
      baselineIs: "a bare watcher of the folder, then git diff of the file",
      bar: BAR,
      better: "lower",
      more: { median: percentile(ours, 0.5), bareMedian: percentile(bare, 0.5) },
    }),
  ];
}

/** The time from a change until `git diff` of the file, which a watcher starts, has printed all. */
async function watchBare(root: string, change: () => void): Promise<number> {
  const noticed = Promise.withResolvers<void>();
  const watcher = watch(join(root, "src"), () => noticed.resolve());
  const start = performance.now();
  change();
  await noticed.promise;
  watcher.close();
  const diff = spawn("git", ["-C", root, "diff", "--", FILE], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  diff.stdout.resume();
  await once(diff, "close");
  return performance.now() - start;
}
