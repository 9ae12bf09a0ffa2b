import { inGroups } from "../../hub/lines.ts";
import { figure, type Figure } from "../../hub/rig.ts";
import { browserCpu } from "../browser-cost.ts";
import { conversation } from "../talk.ts";
import { WebRig } from "../window.ts";

const SECONDS = 20;

/** (j) A page at rest, with a session open. */
export async function rest(): Promise<Figure[]> {
  await using rig = await WebRig.open();
  const session = await rig.hub.session("At rest");
  for (const group of inGroups(conversation(200), 50)) await rig.hub.feeder.feed(session, group);
  await rig.hub.feeder.stored(session);
  await rig.show(session, "the end of 200");
  await rig.tab.waitForLoadState("networkidle");
  await Bun.sleep(5000); // copies are written, chunks for later are loaded
  const before = await browserCpu(rig.tab);
  await Bun.sleep(SECONDS * 1000);
  return [
    figure({
      figure: "j",
      what: `CPU of the browser in ${SECONDS} s at rest`,
      unit: "CPU seconds",
      ours: (await browserCpu(rig.tab)) - before,
      baseline: SECONDS,
      baselineIs: "one core",
      bar: 0.0099, // less than one per cent
      better: "lower",
    }),
  ];
}
