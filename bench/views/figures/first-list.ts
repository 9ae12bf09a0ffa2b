import { figure, type Figure } from "../../hub/rig.ts";
import { median } from "../../web/median.ts";
import { openViewStage } from "../stage.ts";

const FILES = 50_000;
const FILES_IN_FOLDER = 20;
const CHANGED = 12;
const ROUNDS = 9;
const BAR = 1.5;

function* listFiles(): Generator<readonly [string, string]> {
  for (let nth = 0; nth < FILES; nth++) {
    const folder = Math.floor(nth / FILES_IN_FOLDER);
    yield [
      `src/part-${folder % 50}/folder-${folder}/file-${nth}.ts`,
      `export const at = ${nth};\n`,
    ];
  }
}

/** (a) The changes of a large repository beside what Git itself takes to look at it. */
export async function firstList(): Promise<Figure[]> {
  await using stage = await openViewStage(listFiles());
  for (const [path] of [...listFiles()].slice(0, CHANGED)) stage.write(path, "changed\n");
  stage.write("new.txt", "new\n");
  const list = async () => {
    const path = `/api/sessions/${stage.session}/working-changes?against=start`;
    const { files } = await stage.rig.hub.get<{ files: unknown[] }>(path);
    if (files.length !== CHANGED + 1) throw new Error(`${files.length} files are listed`);
  };
  const times = { ours: [] as number[], git: [] as number[] };
  for (let round = -1; round < ROUNDS; round++) {
    const ours = await measure(list);
    const git = await measure(async () => void stage.git("status", "--porcelain"));
    if (round < 0) continue; // the first one reads everything from the disk
    times.ours.push(ours);
    times.git.push(git);
  }
  return [
    figure({
      figure: "a",
      what: `time until the changes of a repository of ${FILES} files are listed (median of ${ROUNDS})`,
      unit: "milliseconds",
      ours: median(times.ours),
      baseline: median(times.git),
      baselineIs: "git status in the same repository",
      bar: BAR,
      better: "lower",
    }),
  ];
}

async function measure(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
