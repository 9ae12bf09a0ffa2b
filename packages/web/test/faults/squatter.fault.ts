import { expect, test } from "bun:test";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chromiumFlags, ensureChromium } from "../../../../scripts/ensure-chromium.mjs";
import { until } from "@signalbox/testing/until";
import { serve } from "@signalbox/testing/held-hub";
import { noSquatter, startSquatter } from "@signalbox/testing/squatter";
import { openStage } from "@signalbox/testing/cli-stage";

const root = join(import.meta.dir, "../../../..");
const KILLS = 20;
const PATIENCE_MS = 120_000;

test.skipIf(noSquatter !== undefined)(
  `[HH70] another user never gets the port of a hub that is killed twenty times; page, commands and runner come back${noSquatter === undefined ? "" : ` (${noSquatter})`}`,
  async () => {
    const built = Bun.spawnSync(["node", join(root, "scripts/build-page-if-missing.mjs")]);
    expect(built.exitCode).toBe(0);
    await using stage = await openStage();
    const served = await serve(stage, ["--root", join(stage.folder, "..")]);
    await using browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: chromiumFlags,
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(served.link.href);
    await page.locator("[data-role=pair]").click();
    await page.locator("[data-link=live]").waitFor();
    using squatter = startSquatter(served.port);
    for (let kills = 1; kills <= KILLS; kills++) {
      process.kill(await served.hub(), "SIGKILL");
      // A command waits for the next hub for a while, or says that none runs; the page is loaded anew.
      const meanwhile = stage.signalbox(["ls", "--data", served.data]);
      if (kills % 5 === 0) await page.reload();
      await until("the next hub says where it is", () => served.starts() > kills);
      expect([0, 4]).toContain((await meanwhile).exit);
      expect((await stage.signalbox(["ls", "--data", served.data])).stderr).toBe("");
      await page.locator("[data-link=live]").waitFor();
    }
    const { tries, taken } = await squatter.end();
    console.log(JSON.stringify({ kills: KILLS, tries, taken }));
    expect(taken).toBe(0);
    expect(tries).toBeGreaterThan(KILLS);
    const title = ["new", "--title", "Afterwards", "--data", served.data];
    const begun = await stage.signalbox([...title, "Hello.\n::say I am there."]);
    expect(begun).toMatchObject({ exit: 0 });
    await page.getByText("Afterwards").first().waitFor();
    expect(await served.end()).toBe(0);
  },
  600_000,
);
