import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Gallery } from "./built-gallery.ts";

/** What was said to the page by its frames, word by word. */
interface Heard {
  heard: Record<string, unknown>[];
}

const fenced = (code: string) => `\`\`\`mermaid\n${code}\n\`\`\``;

/** Diagrams that want to run, to fetch, to lead away or to be clicked; `away` counts who comes. */
const hostile = (away: string): Record<string, string> => ({
  "a script in a label": `flowchart LR\n a["<script>parent.postMessage({owned:1},'*')</script>x"] --> b`,
  "a handler in a label": `flowchart LR\n a["<img src=${away}/img onerror=parent.postMessage({owned:1},'*')>"] --> b`,
  "foreignObject in a label": `flowchart LR\n a["<svg><foreignObject><iframe src='${away}/frame'></iframe></foreignObject></svg>"] --> b`,
  "a call on a click": `flowchart LR\n a[press] --> b\n click a call alert("owned")`,
  "a javascript: link": `flowchart LR\n a[press] --> b\n click a href "javascript:parent.postMessage({owned:1},'*')"`,
  "a link elsewhere": `flowchart LR\n a[press] --> b\n click a href "${away}/link" _self`,
  "a looser setting": `%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\nflowchart LR\n a["<img src=x onerror=alert(1)>"] --> b\n click a call alert("owned")`,
  "styles that fetch": `%%{init: {"themeCSS": "@import url(${away}/css); * { background: url(${away}/bg) }"}}%%\nflowchart LR\n a --> b`,
  "a style that fetches": `flowchart LR\n a --> b\n style a fill:url(${away}/fill)`,
  "a picture as a node": `flowchart LR\n a@{ img: "${away}/node.png", label: "x", h: 60 } --> b`,
  "a link in a sequence": `sequenceDiagram\n participant a\n link a: press @ javascript:alert(1)\n a->>b: <img src=${away}/seq onerror=alert(1)>`,
  "links in a class": `classDiagram\n class a\n click a href "javascript:alert(1)"\n a <|-- b`,
});

/** What the page does with diagrams, in a gallery that is open by the time the tests run. */
export function diagrams(openedGallery: () => Gallery): void {
  let gallery: Gallery;
  let visits: string[] = [];
  const elsewhere = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    reusePort: false,
    fetch({ url }) {
      visits.push(url);
      return new Response("");
    },
  });
  const away = `http://127.0.0.1:${elsewhere.port}`;
  beforeAll(() => {
    gallery = openedGallery();
  });
  afterAll(() => elsewhere.stop(true));

  async function show(tab: Page, texts: readonly string[], theme = "light"): Promise<void> {
    const common = { turn: 1, rev: 1, kind: "text", live: false };
    const items = texts.map((text, at) => ({ id: `t${at}`, order: at, text, ...common }));
    await tab.addInitScript(() => {
      const said: Heard = { heard: [] };
      Object.assign(globalThis, said);
      addEventListener("message", ({ data }) => said.heard.push(data as Record<string, unknown>));
    });
    await tab.route("**/gallery-items.json", (route) =>
      route.fulfill({ json: [{ version: "a", story: "diagram", items }] }),
    );
    await tab.goto(`${gallery.origin}/gallery?all&theme=${theme}`);
  }

  /** A frame is fetched when it comes near: go to each until it stands. */
  async function seeAll(tab: Page, count: number): Promise<void> {
    await tab
      .locator("article")
      .nth(count - 1)
      .waitFor();
    for (const item of await tab.locator("article").all()) {
      await item.scrollIntoViewIfNeeded();
      await item.locator("[data-diagram=drawn], [data-diagram=failed]").first().waitFor();
    }
  }

  test("[IV10] a whole diagram is drawn in its frame, in the page's colours; what is none shows its source and why", async () => {
    const { tab, trouble } = await gallery.open();
    await show(tab, [
      fenced("flowchart LR\n a[Agent] --> h[Hub]"),
      fenced("flowchart LR\n a --> --> b"),
      fenced(`flowchart LR\n${"a --> b\n".repeat(3000)}`),
    ]);
    await seeAll(tab, 3);
    const [drawing, wrong, huge] = await tab.locator("article").all();
    const frame = drawing?.frameLocator("iframe");
    await frame?.getByText("Agent").waitFor();
    expect(await drawing?.locator("iframe").getAttribute("sandbox")).toBe("allow-scripts");
    const high = await drawing?.locator("iframe").boundingBox();
    expect(high?.height).toBeGreaterThan(40);
    expect(high?.height).toBeLessThan(240);
    await wrong?.getByText("a --> --> b").first().waitFor();
    await wrong?.getByText(/Couldn't draw this diagram: Parse error/).waitFor();
    await huge?.getByText("Couldn't draw this diagram: It is longer than").waitFor();
    const scheme = () => frame?.locator("html").evaluate(({ style }) => style.colorScheme);
    expect(await scheme()).toBe("light");
    await tab.evaluate(() => (document.documentElement.dataset["theme"] = "dark"));
    await frame?.locator("html[style*=dark]").waitFor();
    await drawing?.getByRole("button", { name: "Show source" }).click();
    await drawing?.locator("figure pre").getByText("a[Agent]").waitFor();
    expect(trouble).toEqual([]);
    await tab.close();
  });

  test("[IV15] a diagram stands in the room it was given, whatever becomes of it, until somebody wants it larger", async () => {
    const { tab, trouble } = await gallery.open();
    const tall = Array.from({ length: 30 }, (_, nth) => ` n${nth} --> n${nth + 1}`).join("\n");
    const texts = [
      fenced("flowchart LR\n a[Agent] --> h[Hub]"),
      fenced(`flowchart TD\n${tall}`),
      fenced("sequenceDiagram\n a->>b: Hello\n b->>a: Hello"),
      fenced('pie\n "a" : 3\n "b" : 2'),
      fenced("flowchart LR\n a --> --> b"),
    ];
    await show(tab, texts);
    await tab
      .locator("[data-diagram]")
      .nth(texts.length - 1)
      .waitFor({ state: "attached" });
    const heights = () =>
      tab
        .locator("[data-diagram]")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    const before = await heights();
    await seeAll(tab, texts.length);
    const after = await heights();
    expect(after.slice(0, 4)).toEqual(before.slice(0, 4));
    const long = tab.locator("article").nth(1);
    const svg = long.frameLocator("iframe").locator("svg");
    const drawn = async () => (await svg.boundingBox())?.height ?? 0;
    expect(await drawn()).toBeLessThan(after[1] ?? 0); // all of it is there, if small
    await long.getByRole("button", { name: "Full size" }).click();
    expect((await heights())[1]).toBeGreaterThan((after[1] ?? 0) + 400);
    expect(await drawn()).toBeGreaterThan(900);
    expect(trouble).toEqual([]);
    await tab.close();
  });

  test("[IV10] of hostile diagrams nothing runs, nothing is fetched, and no click leads anywhere", async () => {
    visits = [];
    const { tab, trouble } = await gallery.open();
    const texts = Object.values(hostile(away)).map(fenced);
    await show(tab, texts);
    await seeAll(tab, texts.length);
    expect(await tab.locator("[data-diagram=drawn]").count()).toBeGreaterThan(6);
    for (const frame of await tab.locator("iframe").all()) {
      await frame.scrollIntoViewIfNeeded();
      const inside = frame.contentFrame().locator("body");
      for (const node of await inside.locator("g.node, g.clickable, text, a").all()) {
        await node.dispatchEvent("click");
      }
      await frame.click({ position: { x: 40, y: 40 } });
    }
    const words = await tab.evaluate(() =>
      (globalThis as unknown as Heard).heard.flatMap((data) => Object.keys(data)),
    );
    expect(words.filter((word) => !/^(?:ready|height|problem)$/.test(word))).toEqual([]);
    const addresses = tab.frames().map((frame) => frame.url());
    expect(new Set(addresses)).toEqual(
      new Set([`${gallery.origin}/gallery?all&theme=light`, `${gallery.origin}/diagram.html`]),
    );
    expect(trouble.filter((one) => /^(?:dialog|threw)/.test(one))).toEqual([]);
    // Nothing in a drawing even tries to fetch: the policy, which would refuse it, has nothing to refuse.
    // (It does report handlers that stand in markup while that is cleaned, in a document where none runs.)
    expect(trouble.filter((one) => /^console: (?:Loading|Connecting|Framing)/.test(one))).toEqual(
      [],
    );
    const fetching =
      "img, image, iframe, object, embed, video, audio, source, link, script, feImage";
    for (const frame of await tab.locator("iframe").all()) {
      const drawing = frame.contentFrame().locator("main");
      expect(await drawing.locator(fetching).count()).toBe(0);
      const attributes = await drawing
        .locator("*")
        .evaluateAll((all) => all.flatMap((one) => one.getAttributeNames()));
      expect(attributes.filter((name) => /^on|^src|^(?:xlink:)?href$/.test(name))).toEqual([]);
    }
    expect(visits).toEqual([]);
    await tab.close();
  });

  test("[IV10] even a script that ran in the frame would have no page, no store, no network and no way out", async () => {
    visits = [];
    const { tab } = await gallery.open();
    await show(tab, [fenced("flowchart LR\n a --> b")]);
    await seeAll(tab, 1);
    const inside = tab.frames().find((frame) => frame.url().endsWith("/diagram.html"));
    const done = await inside?.evaluate(async (away) => {
      const tried: Record<string, () => unknown> = {
        page: () => parent.document.title,
        store: () => localStorage.length,
        database: () => indexedDB.open("x"),
        hub: () => fetch(location.href.replace("diagram.html", "health")),
        elsewhere: () => fetch(away),
        socket: () =>
          new Promise((resolve, reject) => {
            const socket = new WebSocket(away.replace("http", "ws"));
            socket.addEventListener("open", resolve);
            socket.addEventListener("error", reject);
          }),
        picture: () =>
          new Promise((resolve, reject) => {
            const image = document.createElement("img");
            image.addEventListener("load", resolve);
            image.addEventListener("error", reject);
            image.src = `${away}/image`;
          }),
        script: () => {
          const script = document.createElement("script");
          script.textContent = "globalThis.ran = true";
          document.body.append(script);
          if (!("ran" in globalThis)) throw new Error("refused");
        },
        popup: () => {
          if (open(away) === null) throw new Error("refused");
        },
        top: () => {
          if (top) top.location.href = away;
        },
      };
      const succeeded: string[] = [];
      for (const [name, attempt] of Object.entries(tried)) {
        try {
          await attempt();
          succeeded.push(name);
        } catch {
          // as it should be
        }
      }
      return succeeded;
    }, away);
    expect(done).toEqual([]);
    const gone = tab.waitForEvent("framenavigated");
    await inside?.evaluate((away) => void (location.href = `${away}/self`), away);
    expect((await gone).url()).toStartWith("chrome-error:");
    expect(tab.url()).toBe(`${gallery.origin}/gallery?all&theme=light`);
    expect(visits).toEqual([]);
    await tab.close();
  });
}
