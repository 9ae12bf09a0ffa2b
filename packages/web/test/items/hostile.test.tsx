import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { classifyItem } from "../../src/gallery/specimens.ts";
import type { DisplayItem } from "../../src/text/body.ts";
import { parseSafeLink } from "../../src/markdown/safe-link.ts";
import { Markdown } from "../../src/markdown/markdown.tsx";
import { hostilePayloads } from "./payloads.ts";
import { everyItem, markup } from "./scene.tsx";

setDefaultTimeout(300_000);

const elements = new Set(
  (
    "a article aside blockquote br button circle ellipse line polyline polygon g code col colgroup dd del div dl dt em figcaption figure h3 h4 h5 hr img " +
    "input li ol p path pre rect section span strong sub sup svg table tbody td th thead title tr ul"
  ).split(" "),
);
const attributes =
  /^(?:class|style|id|role|dir|tabindex|title|type|disabled|checked|readonly|href|rel|target|src|alt|start|scope|colspan|hidden|aria-[a-z]+|data-[a-z]+|viewbox|fill|stroke|stroke-[a-z]+|xmlns|cx|cy|r|rx|ry|x1|x2|y1|y2|points|d|x|y|width|height)$/i;
const tag = /<(\/?)([a-zA-Z][^\s/>]*)((?:"[^"]*"|[^">])*)>/g;
const attribute = /([^\s=/"]+)(?:="([^"]*)")?/g;

/** The frame of a diagram, to the letter: it has no origin, and what it draws is sent to it later (IV10). */
const frame =
  '<iframe src="/diagram.html" title="Diagram" sandbox="allow-scripts" loading="lazy" class="block w-full" style="height:120px"></iframe>';
/** …whatever its height. */
const withoutFrames = (html: string) =>
  html
    .replaceAll(/style="height:\d+px"><\/iframe>/g, 'style="height:120px"></iframe>')
    .replaceAll(frame, "");

/** Everything in some markup that could act or fetch. */
function dangers(html: string): string[] {
  const found: string[] = [];
  for (const [, , name = "", rest = ""] of withoutFrames(html).matchAll(tag)) {
    if (!elements.has(name.toLowerCase())) found.push(`<${name}>`);
    for (const [, key = "", value = ""] of rest.matchAll(attribute)) {
      if (!attributes.test(key)) found.push(`${name} ${key}`);
      if (key === "href" && !/^(?:https?:|mailto:)/.test(value)) found.push(`href ${value}`);
      if (key === "src" && !/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(value))
        found.push(`src ${value}`);
      if (key === "xmlns" && value !== "http://www.w3.org/2000/svg") found.push(`xmlns ${value}`);
      if (key === "style" && /url|expression|import/i.test(value)) found.push(`style ${value}`);
    }
  }
  return found;
}

/** Another item for each of its texts: the same, with the payload in that place. */
function withPayload(item: DisplayItem, payload: string): DisplayItem {
  const kept = new Set(["id", "kind", "parent"]);
  const json = JSON.stringify(item, (key, value: unknown) =>
    typeof value === "string" && !kept.has(key) ? payload : value,
  );
  return JSON.parse(json) as DisplayItem;
}

/** The fullest of a kind has the most places for a text. */
const measureSize = (item: DisplayItem) => Math.min(20_000, JSON.stringify(item).length);

describe("hostile texts", () => {
  const payloads = hostilePayloads();
  let kinds: { item: DisplayItem; story: readonly DisplayItem[] }[] = [];
  beforeAll(() => {
    const seen = new Map<string, { item: DisplayItem; story: readonly DisplayItem[] }>();
    for (const one of everyItem()) {
      const { group } = classifyItem(one.item as Parameters<typeof classifyItem>[0]) ?? {
        group: one.item.kind,
      };
      const known = seen.get(group);
      if (!known || measureSize(one.item) > measureSize(known.item)) seen.set(group, one);
    }
    kinds = [...seen.values()];
  });

  test("there are at least 300 of them, and the check sees them", () => {
    expect(payloads.length).toBeGreaterThanOrEqual(300);
    expect(dangers("<img src=x onerror=alert(1)>")).not.toEqual([]);
    expect(dangers('<a href="javascript:alert(1)">x</a>')).not.toEqual([]);
    expect(dangers(frame.replace("allow-scripts", "allow-scripts allow-same-origin"))).not.toEqual(
      [],
    );
  });

  test("[IV6] nothing comes of them in any text field of any kind of item", () => {
    expect(kinds.length).toBeGreaterThan(28);
    for (const { item, story } of kinds) {
      for (const payload of payloads) {
        const found = dangers(markup(withPayload(item, payload), story.slice(0, 5)));
        if (found.length > 0) expect({ kind: item.kind, payload, found }).toBeUndefined();
      }
    }
  });

  test("[IV2] markdown stays text where it is HTML, and links lead to the web or nowhere", () => {
    for (const payload of payloads) {
      expect(dangers(renderToStaticMarkup(<Markdown text={payload} />))).toEqual([]);
      expect(dangers(renderToStaticMarkup(<Markdown text={payload} live />))).toEqual([]);
    }
  });

  test.each([
    ["https://a.test/x", "a.test"],
    ["HTTP://a.test", "a.test"],
    ["mailto:a@b.test", "a@b.test"],
    ["https://user:pass@a.test:8080/", "a.test:8080"],
  ])("[IV2] %s is a link", (address, place) => {
    expect(parseSafeLink(address)?.destination).toBe(place);
  });

  test.each(["javascript:1", "/x", "#a", "ftp://a.test", "https://", "java\nscript:1", ""])(
    "[IV2] %j is none",
    (address) => expect(parseSafeLink(address)).toBeUndefined(),
  );

  test("[IV2] no picture is fetched: its words lead to it", () => {
    const shown = renderToStaticMarkup(<Markdown text="![a chart](https://a.test/x.png)" />);
    expect(shown).not.toContain("<img");
    expect(shown).toContain("image: a chart");
  });
});
