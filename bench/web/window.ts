import { join } from "node:path";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { chromiumFlags, ensureChromium } from "../../scripts/ensure-chromium.mjs";
import { HubRig } from "../hub/rig.ts";

const page = join(import.meta.dir, "../../packages/web/dist");
const PATIENCE_MS = 120_000;

/** A hub with the built page, a runner that we play, and a browser that is paired with it. */
export class WebRig implements AsyncDisposable {
  readonly hub: HubRig;
  readonly browser: Browser;
  readonly tab: Page;
  readonly #cdp: CDPSession;

  private constructor(hub: HubRig, browser: Browser, tab: Page, cdp: CDPSession) {
    this.hub = hub;
    this.browser = browser;
    this.tab = tab;
    this.#cdp = cdp;
  }

  static async open(): Promise<WebRig> {
    const hub = await HubRig.open(page);
    const browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: chromiumFlags,
    });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(PATIENCE_MS);
    const tab = await context.newPage();
    const rig = new WebRig(hub, browser, tab, await context.newCDPSession(tab));
    const { code } = await hub.command<{ code: string }>("POST", "/api/pairings", {
      role: "admin",
    });
    await tab.goto(`${hub.url}/#pair=${code}`);
    await tab.locator("[data-role=pair]").click();
    await rig.live();
    return rig;
  }

  async live(): Promise<void> {
    await this.tab.locator("[data-link=live]").waitFor();
  }

  path(session: string): string {
    return `${this.hub.url}/s/${session}`;
  }

  /** Opens a session by its address, and waits until this text is in it. */
  async show(session: string, text: string): Promise<void> {
    await this.tab.goto(this.path(session));
    await this.sees(text);
  }

  /** Looked for in every frame, so that the time is that of the page and not of the looking. */
  async sees(text: string): Promise<void> {
    await this.tab.waitForFunction(
      (wanted) =>
        document.querySelector("[data-role=conversation]")?.textContent?.includes(wanted) ?? false,
      text,
      { polling: "raf" },
    );
  }

  nodes(): Promise<number> {
    return this.tab.evaluate(() => document.querySelectorAll("*").length);
  }

  /** What the page's scripts hold, in bytes, after what nobody needs is gone. */
  async heap(): Promise<number> {
    for (let round = 0; round < 3; round++) await this.#cdp.send("HeapProfiler.collectGarbage");
    return (await this.#cdp.send("Runtime.getHeapUsage")).usedSize;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.hub[Symbol.asyncDispose]();
  }
}
