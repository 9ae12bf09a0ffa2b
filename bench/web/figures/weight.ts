import { gzipSync } from "node:zlib";
import type { Response } from "playwright-core";
import { inGroups } from "../../hub/lines.ts";
import { figure, type Figure } from "../../hub/rig.ts";
import { conversation } from "../talk.ts";
import { WebRig } from "../window.ts";

const MOST = 300_000;

/** (d) Everything that a browser without copies asks for before it shows a session, fonts included. */
export async function weight(): Promise<Figure[]> {
  await using rig = await WebRig.open();
  const session = await rig.hub.session("Weight");
  for (const group of inGroups(conversation(200), 100)) await rig.hub.feeder.feed(session, group);
  await rig.hub.feeder.stored(session);
  // By address: what passes through the service worker is seen twice and fetched once.
  const files = new Map<string, Response>();
  const note = (response: Response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith("/api/")) files.set(response.url(), response);
  };
  const { tab } = rig;
  tab.context().on("response", note); // those of workers too
  await tab.goto(rig.path(session), { waitUntil: "commit" });
  await rig.sees("the end of 200");
  await tab.evaluate(async () => void (await document.fonts.ready));
  tab.context().off("response", note);
  const sizes = await Promise.all([...files.values()].map(compressedSize));
  return [
    figure({
      figure: "d",
      what: "page, scripts, styles and fonts, compressed, before the first session shows",
      unit: "bytes",
      ours: sizes.reduce((sum, { gzip }) => sum + gzip, 0),
      baseline: MOST,
      baselineIs: "the most it may be",
      bar: 1,
      better: "lower",
      more: { files: sizes.toSorted((a, b) => b.gzip - a.gzip) },
    }),
  ];
}

async function compressedSize(response: Response) {
  const file = new URL(response.url()).pathname;
  const body = response.ok() ? await response.body() : Buffer.alloc(0);
  // Fonts are compressed already.
  return { file, gzip: file.endsWith(".woff2") ? body.length : gzipSync(body).length };
}
