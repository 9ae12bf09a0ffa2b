import { inGroups } from "../../hub/lines.ts";
import { figure, type Figure } from "../../hub/rig.ts";
import { median } from "../median.ts";
import { openBothPages } from "../earlier-page.ts";
import { conversation } from "../talk.ts";
import type { WebRig } from "../window.ts";

const ROUNDS = 9;

/** (e) From the address until a session is shown and its composer takes a word, beside the earlier page. */
export async function interactive(): Promise<Figure[]> {
  await using pages = await openBothPages();
  const subjects = [pages.now, pages.earlier];
  const sessions = await Promise.all(subjects.map(fill));
  const times: number[][] = [[], []];
  for (let round = -1; round < ROUNDS; round++) {
    for (const [at, rig] of subjects.entries()) {
      const took = await open(rig, sessions[at] ?? "");
      if (round >= 0) times[at]?.push(took); // the first round warms the caches of both
    }
  }
  return [
    figure({
      figure: "e",
      what: `time from the address until a session of 200 items takes a word (median of ${ROUNDS})`,
      unit: "milliseconds",
      ours: median(times[0] ?? []),
      baseline: median(times[1] ?? []),
      baselineIs: "the earlier page",
      bar: 1.2,
      better: "lower",
      more: { times },
    }),
  ];
}

async function fill(rig: WebRig): Promise<string> {
  const session = await rig.hub.session("Interactive");
  for (const group of inGroups(conversation(200), 50)) await rig.hub.feeder.feed(session, group);
  await rig.hub.feeder.stored(session);
  return session;
}

async function open(rig: WebRig, session: string): Promise<number> {
  await rig.tab.goto("about:blank");
  const start = performance.now();
  await rig.tab.goto(rig.path(session), { waitUntil: "commit" });
  await rig.sees("the end of 200");
  const composer = rig.tab.locator("[data-role=composer]");
  await composer.fill("x");
  const took = performance.now() - start;
  await composer.fill("");
  return took;
}
