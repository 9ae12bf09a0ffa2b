import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { chromiumFlags, ensureChromium } from "../../../../scripts/ensure-chromium.mjs";
import { until } from "@signalbox/testing/until";
import { PATIENCE_MS, Story } from "../e2e/stage.ts";

/** A person's browser: what it keeps for the page outlives its process, as it does at home. */
export class BrowserProfile {
  readonly #folder: string;
  readonly #workFolder: string;
  #context: BrowserContext | undefined;

  /** `workFolder`: where sessions that are begun by the page work. */
  constructor(place: string, name: string, workFolder: string) {
    this.#folder = join(place, `profile-${name}`);
    this.#workFolder = workFolder;
  }

  /** Starts the browser and opens an address in it. */
  async open(url: string): Promise<Story> {
    this.#context = await chromium.launchPersistentContext(this.#folder, {
      executablePath: ensureChromium(),
      args: chromiumFlags,
      viewport: { width: 1280, height: 800 },
    });
    this.#context.setDefaultTimeout(PATIENCE_MS);
    const page = this.#context.pages()[0] ?? (await this.#context.newPage());
    await page.goto(url);
    return new Story(page, this.#workFolder);
  }

  /** Another window of the same browser. */
  async openAnother(url: string): Promise<Page> {
    if (!this.#context) throw new Error("the browser is not open");
    const page = await this.#context.newPage();
    await page.goto(url);
    return page;
  }

  async close(): Promise<void> {
    await this.#context?.close();
    this.#context = undefined;
  }
}

export async function pairAs(page: Page, name: string): Promise<void> {
  await page.locator("[data-role=device-name]").fill(name);
  await page.locator("[data-role=pair]").click();
  await page.locator("[data-link=live]").waitFor();
}

/** All that the page keeps of one kind, with its names. A key that cannot be read is shown as its type. */
export function keptBy(
  page: Page,
  shelf: "keys" | "drafts" | "outbox",
): Promise<Record<string, unknown>> {
  return page.evaluate(async (name) => {
    const done = (request: IDBRequest) =>
      new Promise((resolve) => request.addEventListener("success", resolve));
    const opened = indexedDB.open("signalbox");
    await done(opened);
    const store = opened.result.transaction(name).objectStore(name);
    const [keys, values] = [store.getAllKeys(), store.getAll()];
    await Promise.all([done(keys), done(values)]);
    opened.result.close();
    const readable = JSON.stringify(values.result, (_, value: unknown) =>
      value instanceof CryptoKey ? `a ${value.type} key` : value,
    );
    const list = JSON.parse(readable) as unknown[];
    return Object.fromEntries(keys.result.map((key, at) => [key as string, list[at]]));
  }, shelf);
}

/** Waits until the page would open without its hub. */
export async function untilOpensOffline(page: Page): Promise<void> {
  const isKept = () =>
    page.evaluate(async () => {
      const isThere = (await caches.match("/")) !== undefined;
      return isThere && navigator.serviceWorker.controller !== null;
    });
  await until("the browser keeps the page for when the hub is away", isKept);
}
