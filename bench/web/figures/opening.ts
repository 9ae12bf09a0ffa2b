import { inGroups } from "../../hub/lines.ts";
import { figure, type Figure } from "../../hub/rig.ts";
import { median } from "../median.ts";
import { conversation } from "../talk.ts";
import { WebRig } from "../window.ts";

const LARGE = 20_000;
const SMALL = 200;
const ROUNDS = 9;
const MAX_NODES = 3000;

/** (a) A long session beside a short one: how long until its end is seen, and what stands in the document. */
export async function opening(): Promise<Figure[]> {
  await using rig = await WebRig.open();
  const large = { id: await filled(rig, LARGE), end: `the end of ${LARGE}` };
  const small = { id: await filled(rig, SMALL), end: `the end of ${SMALL}` };
  const times = { large: [] as number[], small: [] as number[] };
  let nodes = 0;
  for (let round = -2; round < ROUNDS; round++) {
    const [a, b] = [await open(rig, large), await open(rig, small)];
    if (round < 0) continue; // the first ones warm the caches of both
    times.large.push(a.took);
    times.small.push(b.took);
    nodes = Math.max(nodes, a.nodes);
  }
  await open(rig, large);
  const scrolled = await nodesWhileScrolling(rig);
  return [
    figure({
      figure: "a",
      what: `time from the click until the end of a session of ${LARGE} items is seen (median of ${ROUNDS})`,
      unit: "milliseconds",
      ours: median(times.large),
      baseline: median(times.small),
      baselineIs: `one of ${SMALL} items`,
      bar: 1.5,
      better: "lower",
    }),
    figure({
      figure: "a",
      what: `elements in the document with a session of ${LARGE} items open`,
      unit: "elements",
      ours: Math.max(nodes, scrolled),
      baseline: MAX_NODES,
      baselineIs: "the most there may be",
      bar: 1,
      better: "lower",
      more: { opened: nodes, whileScrollingBack: scrolled },
    }),
  ];
}

async function filled(rig: WebRig, items: number): Promise<string> {
  const { feeder } = rig.hub;
  const session = await rig.hub.session(`${items} items`);
  for (const group of inGroups(conversation(items), 500)) await feeder.feed(session, group);
  await feeder.stored(session);
  return session;
}

/** From the board, by its tile, in a page that holds no copy of it. */
async function open(rig: WebRig, { id, end }: { id: string; end: string }) {
  const { tab } = rig;
  await tab.goto(rig.hub.url);
  await rig.live();
  await forgetCopies(rig);
  await tab.locator(`[data-session="${id}"] .tile-link`).waitFor();
  const took = await tab.evaluate(
    ({ id, end }) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const look = () => {
          const shown = document.querySelector("[data-role=conversation]")?.textContent ?? "";
          if (shown.includes(end)) resolve(performance.now() - start);
          else requestAnimationFrame(look);
        };
        document.querySelector<HTMLElement>(`[data-session="${id}"] .tile-link`)?.click();
        look();
      }),
    { id, end },
  );
  return { took, nodes: await rig.nodes() };
}

function forgetCopies({ tab }: WebRig): Promise<void> {
  return tab.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open("signalbox");
        request.addEventListener("error", () => reject(new Error("no database")));
        request.addEventListener("success", () => {
          const change = request.result.transaction("copies", "readwrite");
          change.objectStore("copies").clear();
          change.addEventListener("complete", () => {
            request.result.close();
            resolve();
          });
        });
      }),
  );
}

/** The most that stood there while somebody went back through the last thousand items or so. */
async function nodesWhileScrolling({ tab }: WebRig): Promise<number> {
  await tab.locator("[data-role=conversation]").press("PageUp"); // only a person leaves the end
  return tab.evaluate(async () => {
    const list = document.querySelector("[data-role=conversation]");
    let most = 0;
    for (let step = 0; step < 120; step++) {
      list?.scrollBy(0, -600);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      most = Math.max(most, document.querySelectorAll("*").length);
    }
    return most;
  });
}
