import { gzipSync } from "node:zlib";
import type { Response } from "playwright-core";
import { inGroups } from "../../hub/lines.ts";
import { figure, type Figure } from "../../hub/rig.ts";
import { conversation } from "../talk.ts";
import { WebRig } from "../window.ts";

const MOST = 250_000;

/** (d) The JavaScript that a browser that has nothing asks for before it shows a session. */
export async function weight(): Promise<Figure[]> {
  await using rig = await WebRig.open();
  const session = await rig.hub.session("Weight");
  for (const group of inGroups(conversation(200), 100)) await rig.hub.feeder.feed(session, group);
  await rig.hub.feeder.stored(session);
  // By address: what passes through the service worker is seen twice and fetched once.
  const scripts = new Map<string, Response>();
  const note = (response: Response) => {
    if (/javascript/.test(response.headers()["content-type"] ?? ""))
      scripts.set(response.url(), response);
  };
  const { tab } = rig;
  tab.context().on("response", note); // those of workers too
  await tab.goto(rig.path(session), { waitUntil: "commit" });
  await rig.sees("the end of 200");
  tab.context().off("response", note);
  const sizes = await Promise.all(
    [...scripts.values()].map(async (response) => ({
      file: new URL(response.url()).pathname,
      gzip: gzipSync(await response.body()).length,
    })),
  );
  return [
    figure({
      figure: "d",
      what: "JavaScript, compressed, before the first session shows",
      unit: "bytes",
      ours: sizes.reduce((sum, { gzip }) => sum + gzip, 0),
      baseline: MOST,
      baselineIs: "the most it may be",
      bar: 1,
      better: "lower",
      more: { files: sizes },
    }),
  ];
}
