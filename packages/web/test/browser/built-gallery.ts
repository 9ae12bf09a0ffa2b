import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { chromiumFlags, ensureChromium } from "../../../../scripts/ensure-chromium.mjs";
import { servePage } from "../../../../scripts/gallery/serve.ts";

export interface Gallery extends AsyncDisposable {
  readonly origin: string;
  /** A tab, and everything that went wrong in it: errors, refusals of the policy, dialogs, requests elsewhere. */
  open(): Promise<{ tab: Page; trouble: string[] }>;
}

/**
 * The gallery, built into a folder of its own, behind the hub's headers, with a browser to look at it. Under
 * `bun test` React is built for developing, so that its warnings are trouble too.
 */
export async function openGallery(): Promise<Gallery> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-gallery-"));
  await build({
    configFile: join(import.meta.dirname, "../../vite.config.ts"),
    mode: "gallery",
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: true },
  });
  const page = await servePage(folder);
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
  return {
    origin: page.origin,
    open: () => openTab(browser, page.origin),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await page[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openTab(browser: Browser, origin: string) {
  const tab = await browser.newPage({ viewport: { width: 1100, height: 900 } });
  tab.setDefaultTimeout(180_000);
  const trouble: string[] = [];
  tab.on("pageerror", (error) => trouble.push(`threw: ${error.message}`));
  tab.on("console", (said) => {
    if (said.type() === "error") trouble.push(`console: ${said.text()}`);
  });
  tab.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  tab.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) trouble.push(`request: ${url}`);
  });
  return { tab, trouble };
}
