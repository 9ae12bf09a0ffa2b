import { inGroups, init, message, result } from "../lines.ts";
import { figure, type Figure, HubRig } from "../rig.ts";
import { Viewer } from "../viewer.ts";

const LARGE = 50_000;
const SMALL = 500;
const ROUNDS = 15;

/** (c) Opening a long session beside a short one. */
export async function opening(): Promise<Figure[]> {
  await using rig = await HubRig.open();
  const [large, small] = [await filled(rig, LARGE), await filled(rig, SMALL)];
  const times: { large: number[]; small: number[] } = { large: [], small: [] };
  for (let round = -2; round < ROUNDS; round++) {
    const [a, b] = [await open(rig, large), await open(rig, small)];
    if (round < 0) continue; // the first ones warm the caches of both
    times.large.push(a);
    times.small.push(b);
  }
  return [
    figure({
      figure: "c",
      what: `time to open a session of ${LARGE} items (median of ${ROUNDS})`,
      unit: "milliseconds",
      ours: median(times.large),
      baseline: median(times.small),
      baselineIs: `one of ${SMALL} items`,
      bar: 1.5,
      better: "lower",
    }),
  ];
}

async function filled(rig: HubRig, items: number): Promise<string> {
  const session = await rig.session();
  await rig.feeder.feed(session, [init()]);
  const lines = Array.from({ length: items }, (_, n) =>
    message(`msg_${n}`, `words of message ${n}`),
  );
  for (const group of inGroups(lines, 500)) await rig.feeder.feed(session, group);
  await rig.feeder.feed(session, [result()]);
  await rig.feeder.stored(session);
  return session;
}

async function open(rig: HubRig, session: string): Promise<number> {
  const start = performance.now();
  const viewer = new Viewer(rig.url, rig.token, session);
  await viewer.connect();
  await viewer.live();
  const took = performance.now() - start;
  viewer.disconnect();
  return took;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
