import { inGroups } from "../../hub/lines.ts";
import { figure, type Figure } from "../../hub/rig.ts";
import { browserCpu } from "../browser-cost.ts";
import { conversation } from "../talk.ts";
import { WebRig } from "../window.ts";

const ROUNDS = 20;

/** (i) Going to and fro between two sessions, beside going between two views with next to nothing in them. */
export async function switching(): Promise<Figure[]> {
  await using rig = await WebRig.open();
  const first = await fill(rig, "First");
  const second = await fill(rig, "Second");
  const between = (a: string, b: string) => async () => {
    await go(rig, a);
    await go(rig, b);
  };
  const sessions = between(`/s/${first}`, `/s/${second}`);
  const views = between("/settings/about", "/inbox");
  for (let round = 0; round < 3; round++) {
    await sessions();
    await views();
  }
  let ours = 0;
  let baseline = 0;
  for (let round = 0; round < ROUNDS; round++) {
    ours += await measureCost(rig, sessions);
    baseline += await measureCost(rig, views);
  }
  return [
    figure({
      figure: "i",
      what: "CPU of the browser for a switch between two open sessions of 200 items",
      unit: "CPU seconds",
      ours: ours / ROUNDS / 2,
      baseline: baseline / ROUNDS / 2,
      baselineIs: "a change between two views that hold next to nothing",
      bar: 2,
      better: "lower",
    }),
  ];
}

async function fill(rig: WebRig, title: string): Promise<string> {
  const session = await rig.hub.session(title);
  for (const group of inGroups(conversation(200), 50)) await rig.hub.feeder.feed(session, group);
  await rig.hub.feeder.stored(session);
  return session;
}

/** Through the page's own router, and until the frame after next is drawn. */
async function go({ tab }: WebRig, path: string): Promise<void> {
  await tab.evaluate(async (to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  }, path);
}

async function measureCost({ tab }: WebRig, work: () => Promise<void>): Promise<number> {
  const before = await browserCpu(tab);
  await work();
  return (await browserCpu(tab)) - before;
}
