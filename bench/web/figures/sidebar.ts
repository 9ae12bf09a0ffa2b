import { delta, init, messageStart } from "../../hub/lines.ts";
import { figure, type Figure } from "../../hub/rig.ts";
import { browserCpu } from "../browser-cost.ts";
import { tokens } from "../talk.ts";
import { WebRig } from "../window.ts";

const SESSIONS = 40;
const STREAMING = 10;
const SECONDS = 15;
const TOKENS_A_SECOND = 50;
const TICK_MS = 100;

/** (k) Forty sessions in the sidebar, ten of them at work, beside one at work. One is shown. */
export async function sidebar(): Promise<Figure[]> {
  await using rig = await WebRig.open();
  const sessions: string[] = [];
  for (let nth = 0; nth < SESSIONS; nth++) {
    const session = await rig.hub.session(`Session ${nth + 1}`);
    await rig.hub.feeder.feed(session, [init(), ...messageStart(`msg_${nth}`)]);
    sessions.push(session);
  }
  await rig.tab.goto(rig.path(sessions[0] ?? ""));
  await rig.live();
  await rig.tab.waitForLoadState("networkidle");
  const costs = { one: 0, ten: 0 };
  for (let round = 0; round < 2; round++) {
    costs.one += await cost(rig, sessions.slice(0, 1));
    costs.ten += await cost(rig, sessions.slice(0, STREAMING));
  }
  return [
    figure({
      figure: "k",
      what: `CPU of the browser with ${SESSIONS} sessions in the sidebar, ${STREAMING} of them at work`,
      unit: "CPU seconds",
      ours: costs.ten,
      baseline: costs.one,
      baselineIs: "with one of them at work",
      bar: 3,
      better: "lower",
    }),
  ];
}

async function cost({ hub, tab }: WebRig, sessions: readonly string[]): Promise<number> {
  const text = tokens(SECONDS * TOKENS_A_SECOND);
  const before = await browserCpu(tab);
  const start = performance.now();
  const aTick = (TOKENS_A_SECOND * TICK_MS) / 1000;
  for (let at = 0, tick = 1; at < text.length; at += aTick, tick++) {
    const lines = text.slice(at, at + aTick).map(delta);
    for (const session of sessions) await hub.feeder.feed(session, lines);
    await Bun.sleep(Math.max(0, tick * TICK_MS - (performance.now() - start)));
  }
  return (await browserCpu(tab)) - before;
}
