import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Item } from "@signalbox/timeline";
import { recordings } from "../../build/recorded-items.ts";
import { handmadeSpecimens } from "../../src/gallery/handmade-specimens.ts";
import { classifyItem } from "../../src/gallery/specimens.ts";
import { serious } from "../e2e/axe.ts";
import { hostilePayloads } from "../items/payloads.ts";
import { type Gallery, openGallery } from "./built-gallery.ts";
import { diagrams } from "./diagrams.ts";
import { playsAll } from "../e2e/plays-all.ts";

setDefaultTimeout(300_000);

/** The fullest item of each kind and each kind of tool. */
function oneOfEach(): Item[] {
  const recorded = recordings().flatMap(({ items }) => items);
  const made = handmadeSpecimens()
    .filter(({ group }) => group !== "broken" && group !== "from the future")
    .map(({ item }) => item as Item);
  const bySize = [...recorded, ...made].toSorted((a, b) => measureSize(a) - measureSize(b));
  const kinds = new Map(bySize.map((item) => [classifyItem(item).group, item])); // the fullest comes last
  return [...kinds.values()];
}

function measureSize(item: Item): number {
  return Math.min(20_000, JSON.stringify(item).length);
}

function withPayload(item: Item, payload: string, id: string): Item {
  const kept = new Set(["kind"]);
  const json = JSON.stringify({ ...item, id, parent: undefined }, (key, value: unknown) =>
    typeof value === "string" && !kept.has(key) && key !== "id" ? payload : value,
  );
  return JSON.parse(json) as Item;
}

describe("the gallery in a browser, behind the hub's headers", () => {
  let gallery: Gallery;
  beforeAll(async () => {
    gallery = await openGallery();
  });
  afterAll(() => gallery[Symbol.asyncDispose]());

  describe("diagrams", () => diagrams(() => gallery));

  test("[IV7] everything is drawn, code is coloured by the worker, and the policy refuses nothing", async () => {
    const { tab, trouble } = await gallery.open();
    await tab.goto(`${gallery.origin}/gallery?open`);
    await tab.waitForSelector(".code-keyword");
    await tab.waitForSelector(".formula math");
    expect(await tab.locator("article").count()).toBeGreaterThan(90);
    // One is broken on purpose: it is shown as data, and nothing else fell with it.
    expect(await tab.getByText("couldn't be shown").count()).toBe(1);
    expect(trouble).toEqual([]);
    await tab.close();
  });

  test("[IV17] on the narrowest phone no item and no ask is wider than the page", async () => {
    const { tab } = await gallery.open();
    await tab.setViewportSize({ width: 320, height: 800 });
    await tab.goto(`${gallery.origin}/gallery?open`);
    await tab.waitForSelector(".code-keyword");
    await tab.waitForSelector(".formula math");
    const wide = await tab.evaluate(() =>
      [...document.querySelectorAll("section")]
        .filter((one) => one.scrollWidth > one.clientWidth)
        .map(({ id }) => id),
    );
    expect(wide).toEqual([]);
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    // A row of a card's head that holds the sign alone looks like nothing.
    const alone = await tab.evaluate(() =>
      [...document.querySelectorAll(".card-head > svg:last-child")].map((sign) =>
        sign.closest("[data-item]")?.getAttribute("data-item"),
      ),
    );
    expect(alone).toEqual([]);
    await tab.close();
  });

  test("[PG16] axe finds nothing serious in any item, light or dark", async () => {
    const { tab } = await gallery.open();
    await tab.goto(`${gallery.origin}/gallery?open`);
    await tab.waitForSelector(".code-keyword");
    await tab.waitForSelector(".formula math");
    expect(await serious(tab)).toEqual([]);
    await tab.emulateMedia({ colorScheme: "dark" });
    expect(await serious(tab, { colors: true })).toEqual([]);
    await tab.close();
  });

  test("[PG4] a plan is rendered, and one whose words are turned around stands there as plain text", async () => {
    const { tab } = await gallery.open();
    await tab.goto(`${gallery.origin}/gallery`);
    const plan = (what: string) => tab.locator(`[data-exhibit="${what}"]`);
    await plan("plan").getByRole("heading", { name: "The plan" }).waitFor();
    const mixed = plan("plan, with characters that reorder");
    await mixed.getByLabel("U+202E right-to-left override").waitFor();
    expect(await mixed.getByRole("heading", { name: "The plan" }).count()).toBe(0);
    await tab.close();
  });

  test("[IV1] a text that grows keeps every element that stands, and nothing above the fold moves", async () => {
    const { tab, trouble } = await gallery.open();
    await tab.addInitScript(() => {
      const moved = { score: 0 };
      Object.assign(globalThis, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          moved.score += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await tab.goto(`${gallery.origin}/gallery?grow`);
    await tab.waitForFunction(() => document.querySelectorAll("#growing .prose > *").length > 4);
    await tab.evaluate(() => {
      const standing = [...document.querySelectorAll("#growing .prose > *")].slice(0, -1);
      Object.assign(globalThis, {
        standing,
        texts: standing.map(({ textContent }) => textContent),
      });
    });
    await tab.waitForSelector("#growing[data-whole=true]");
    const kept = await tab.evaluate(() => {
      const { standing, texts } = globalThis as unknown as { standing: Element[]; texts: string[] };
      return standing.map((node, at) => node.isConnected && node.textContent === texts[at]);
    });
    expect(kept.length).toBeGreaterThan(3);
    expect(kept).not.toContain(false);
    const moved = await tab.evaluate(
      () => (globalThis as unknown as { moved: { score: number } }).moved,
    );
    expect(moved.score).toBeLessThan(0.02);
    expect(trouble).toEqual([]);
    await tab.close();
  });

  test("[IV8] what was cut is fetched when it is wanted", async () => {
    const { tab } = await gallery.open();
    await tab.goto(`${gallery.origin}/gallery`);
    const card = tab.locator("#tool-cut-body");
    await card.getByRole("button", { name: "Show all (1.2 MB)" }).click();
    await card.getByText("0000 line 3000").waitFor();
    await tab.close();
  });

  test("[IV2] a link shows its whole address before anyone leaves", async () => {
    const { tab, trouble } = await gallery.open();
    await tab.goto(`${gallery.origin}/gallery`);
    await tab.getByRole("link", { name: "the issue" }).first().click();
    const dialog = tab.getByRole("dialog");
    await dialog.getByText("https://example.com/issues/42").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(trouble).toEqual([]);
    await tab.close();
  });

  test("[IV6] of hostile texts in every field of every kind nothing runs and nothing is fetched", async () => {
    const items = oneOfEach();
    // The scripts in them do not matter; all texts in all kinds are for `npm run test:page`.
    const payloads = hostilePayloads().filter((_, nth) => nth % (playsAll ? 3 : 9) === 0);
    expect(items.length).toBeGreaterThan(28);
    const { tab, trouble } = await gallery.open();
    const batch = 40;
    for (let from = 0; from < payloads.length; from += batch) {
      const stories = payloads.slice(from, from + batch).map((payload, nth) => ({
        version: "hostile",
        story: `${from + nth}`,
        items: items.map((item, at) => withPayload(item, payload, `${nth}-${at}`)),
      }));
      await tab.route("**/gallery-items.json", (route) => route.fulfill({ json: stories }));
      await tab.goto(`${gallery.origin}/gallery?all&open`);
      await tab.waitForSelector("article");
      expect(await tab.getByText("couldn't be shown").allTextContents()).toEqual([]);
      await tab.unroute("**/gallery-items.json");
    }
    expect(tab.url()).toBe(`${gallery.origin}/gallery?all&open`);
    expect(trouble).toEqual([]);
    await tab.close();
  });
});
