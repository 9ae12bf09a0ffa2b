// Pictures of the built gallery, light, dark and phone: bun scripts/gallery/shots.ts [folder] [group …]
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { chromiumFlags, ensureChromium } from "../ensure-chromium.mjs";
import { servePage } from "./serve.ts";

const [folder = join(tmpdir(), "signalbox-gallery"), ...groups] = process.argv.slice(2);
const views = [
  { name: "light", theme: "light", width: 1100, height: 900 },
  { name: "dark", theme: "dark", width: 1100, height: 900 },
  { name: "phone", theme: "dark", width: 390, height: 844 },
];

async function take(browser: Browser, origin: string, view: (typeof views)[number]): Promise<void> {
  const { name, theme, width, height } = view;
  const tab = await browser.newPage({ viewport: { width, height } });
  await tab.goto(`${origin}/gallery?theme=${theme}&open`);
  await tab.waitForSelector(".code-keyword");
  const found = await tab.$$eval("section[id]", (sections) => sections.map(({ id }) => id));
  for (const id of found) {
    if (groups.length > 0 && !groups.some((group) => id.includes(group))) continue;
    await tab.locator(`[id="${id}"]`).screenshot({ path: join(folder, `${name}-${id}.png`) });
  }
  await tab.close();
}

mkdirSync(folder, { recursive: true });
await using page = await servePage(join(import.meta.dirname, "../../packages/web/dist-gallery"));
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
try {
  for (const view of views) await take(browser, page.origin, view);
} finally {
  await browser.close();
}
console.log(`pictures are in ${folder}`);
