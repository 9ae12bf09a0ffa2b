import { join } from "node:path";
import { openEarlierProgram, explainMissingProgram } from "@signalbox/testing/earlier-program";
import { WebRig } from "./window.ts";

/** The last commit with the earlier page, which the new page is measured beside. */
const EARLIER = "e7f5043";

/** Today's page and the earlier one, each with the hub of its own commit and a browser. */
export async function openBothPages() {
  await using steps = new AsyncDisposableStack();
  const missing = explainMissingProgram(EARLIER);
  if (missing !== undefined) throw new Error(missing);
  const { folder } = steps.use(openEarlierProgram(EARLIER));
  const window = (await import(
    join(folder, "bench/web/window.ts")
  )) as typeof import("./window.ts");
  const earlier = steps.use(await window.WebRig.open());
  const now = steps.use(await WebRig.open());
  const kept = steps.move();
  return { now, earlier, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
