import { afterAll, beforeAll, describe, setDefaultTimeout } from "bun:test";
import { join } from "node:path";
import { SharedStage } from "./stage.ts";
import { first } from "./stories/first.ts";
import { link } from "./stories/link.ts";

setDefaultTimeout(300_000);

/** The stories without which nothing else counts; `page.e2e.ts` plays all of them (`npm run test:page`). */
const stage = new SharedStage();
beforeAll(async () => {
  buildPage();
  await stage.start();
});
afterAll(() => stage.end());

describe("the first session", () => first(stage));
describe("the link", () => link(stage)); // kills the hub

/** As `npm start` does, so that it is today's page that is looked at. */
function buildPage(): void {
  const script = join(import.meta.dirname, "../../../../scripts/build-page-if-missing.mjs");
  const { exitCode } = Bun.spawnSync(["node", script], { stdout: "inherit", stderr: "inherit" });
  if (exitCode !== 0) throw new Error("the page could not be built");
}
