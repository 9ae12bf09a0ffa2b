import { inGroups, init, streamed } from "../lines.ts";
import { figure, type Figure, HubRig } from "../rig.ts";

const EARLY = 10_000;
const LATE = 1_000_000;
const IDLE = 200;
/** So many run before: what the hub loads for the first ones is not of the others. */
const WARM = 20;
const MB = 1024 * 1024;

/** (d) The hub's memory after a million lines beside after ten thousand. */
export async function memory(): Promise<Figure[]> {
  await using rig = await HubRig.open();
  const session = await rig.session();
  await rig.feeder.feed(session, [init()]);
  let fed = 0;
  const lines = inGroups(streamed(LATE), 500);
  const feedUpTo = async (count: number) => {
    while (fed < count) {
      const { value } = lines.next();
      if (!value) break;
      fed += value.length;
      await rig.feeder.feed(session, value);
    }
    await rig.feeder.stored(session);
    await Bun.sleep(500);
    return rig.hub.ask("gc");
  };
  const early = await feedUpTo(EARLY);
  const late = await feedUpTo(LATE);
  const rssMore = (late.rss - early.rss) / MB;
  return [
    figure({
      figure: "d",
      what: "heap of the hub after 1,000,000 lines",
      unit: "bytes after collection",
      ours: late.heapUsed,
      baseline: early.heapUsed,
      baselineIs: "after 10,000 lines",
      bar: 1.3,
      better: "lower",
      also: rssMore <= 100,
      more: { rssMoreMb: Number(rssMore.toFixed(1)), rssBarMb: 100 },
    }),
  ];
}

/** Two hundred parked sessions beside none: in a hub that has just started, and in the one in which they ran. */
export async function idleSessions(): Promise<Figure[]> {
  await using rig = await HubRig.open();
  for (let nth = 0; nth < WARM; nth++) await parked(rig);
  const before = await rig.hub.ask("gc");
  for (let nth = 0; nth < IDLE; nth++) await parked(rig);
  await Bun.sleep(1000);
  const after = await rig.hub.ask("gc");
  await using empty = await HubRig.open();
  const none = await restarted(empty);
  const more = ((await restarted(rig)) - none) / MB;
  const held = (after.heapUsed - before.heapUsed) / MB;
  const common = { unit: "MB", bar: 20, better: "lower" } as const;
  return [
    figure({
      figure: "idle",
      what: `RSS of the hub with ${IDLE + WARM} parked sessions, over none`,
      ...common,
      ours: more,
      baseline: none / MB,
      baselineIs: "RSS with none",
      ratio: more,
    }),
    figure({
      figure: "idle-ran",
      what: `what a hub holds of ${IDLE} sessions that ran in it and were parked`,
      ...common,
      ours: held,
      baseline: before.heapUsed / MB,
      baselineIs: `what it held of ${WARM}`,
      ratio: held,
      more: { rssMoreMb: Number(((after.rss - before.rss) / MB).toFixed(1)) },
    }),
  ];
}

async function parked(rig: HubRig): Promise<void> {
  const session = await rig.session();
  await rig.feeder.feed(session, [init(), ...streamed(100, 90)]);
  await rig.feeder.park(session);
}

async function restarted(rig: HubRig): Promise<number> {
  await rig.restart();
  await rig.get("/api/sessions");
  await Bun.sleep(1000);
  return (await rig.hub.ask("gc")).rss;
}
