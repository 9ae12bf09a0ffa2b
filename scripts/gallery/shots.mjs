// Pictures of the gallery, light, dark and phone: node scripts/gallery/shots.mjs [folder] [group …]
// Says, and fails, when the page's policy refused something or a script threw.
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chromiumFlags, ensureChromium } from "../ensure-chromium.mjs";
import { servePage } from "./serve.mjs";

const [folder = join(tmpdir(), "signalbox-gallery"), ...groups] = process.argv.slice(2);
const views = [
  { name: "light", theme: "light", width: 1100, height: 900 },
  { name: "dark", theme: "dark", width: 1100, height: 900 },
  { name: "phone", theme: "dark", width: 390, height: 844 },
];

mkdirSync(folder, { recursive: true });
const page = await servePage(join(import.meta.dirname, "../../packages/web/dist-gallery"));
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
const trouble = [];
try {
  for (const { name, theme, width, height } of views) {
    const tab = await browser.newPage({ viewport: { width, height } });
    tab.on("pageerror", (error) => trouble.push(`${name}: ${error.message}`));
    tab.on("console", (said) => said.type() === "error" && trouble.push(`${name}: ${said.text()}`));
    await tab.goto(`${page.origin}/gallery?theme=${theme}&open`);
    await tab.waitForSelector("section");
    await tab.waitForSelector(".code-keyword");
    const found = await tab.$$eval("section[id]", (sections) => sections.map(({ id }) => id));
    for (const id of found) {
      if (groups.length > 0 && !groups.some((group) => id.includes(group))) continue;
      await tab.locator(`[id="${id}"]`).screenshot({ path: join(folder, `${name}-${id}.png`) });
    }
    await tab.close();
  }
} finally {
  await browser.close();
  page.close();
}
console.log(`pictures are in ${folder}`);
for (const line of new Set(trouble)) console.error(line);
process.exitCode = trouble.length > 0 ? 1 : 0;
