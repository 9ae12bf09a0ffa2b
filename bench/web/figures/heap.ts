import { init, inGroups } from "../../hub/lines.ts";
import { figure, type Figure } from "../../hub/rig.ts";
import { working } from "../talk.ts";
import { WebRig } from "../window.ts";

const TOKENS_A_MINUTE = 200 * 60;
/** Minutes pass this much faster than they would. */
const FASTER = 20;
const GROUP = 50;

/** (c) What the page holds after ten minutes of streaming, beside what it held after one. */
export async function heap(): Promise<Figure[]> {
  await using rig = await WebRig.open();
  const session = await rig.hub.session("Ten minutes");
  await rig.hub.feeder.feed(session, [init()]);
  await rig.tab.goto(rig.path(session));
  await rig.live();
  const all = inGroups(working(10 * TOKENS_A_MINUTE), GROUP);
  const held: number[] = [];
  for (let minute = 1; minute <= 10; minute++) {
    await pass(rig, session, all);
    if (minute === 1 || minute === 10) {
      await rig.sees(`part-${minute * (TOKENS_A_MINUTE / 400) - 1}`);
      await Bun.sleep(4000); // what is kept for later reading is written every three seconds
      held.push(await rig.heap());
    }
  }
  return [
    figure({
      figure: "c",
      what: `what the page's scripts hold after ten minutes of streaming (${FASTER} times as fast)`,
      unit: "bytes",
      ours: held[1] ?? 0,
      baseline: held[0] ?? 1,
      baselineIs: "after the first minute",
      bar: 1.5,
      better: "lower",
      more: { elements: await rig.nodes() },
    }),
  ];
}

interface Piece {
  readonly tokens: number;
  readonly lines: readonly string[];
}

async function pass({ hub }: WebRig, session: string, groups: Generator<Piece[]>): Promise<void> {
  const tick = (GROUP / 200 / FASTER) * 1000;
  for (let sent = 0; sent < TOKENS_A_MINUTE;) {
    const group: Piece[] | undefined = groups.next().value;
    if (!group) return;
    sent += group.reduce((sum, { tokens }) => sum + tokens, 0);
    await hub.feeder.feed(
      session,
      group.flatMap(({ lines }) => lines),
    );
    await Bun.sleep(tick);
  }
  await hub.feeder.stored(session);
}
