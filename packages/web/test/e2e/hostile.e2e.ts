import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { toPlainName } from "@signalbox/protocol/text";
import { formatLogMarker } from "@signalbox/protocol";
import { WebRig } from "../../../../bench/web/window.ts";
import { hostilePayloads } from "../items/payloads.ts";
import { openPanel } from "./panels.ts";
import { hostileAnswer, hostileAsks, hostileLines, terminalTricks } from "./hostile-lines.ts";

setDefaultTimeout(600_000);

/** So many stand in one field, each a paragraph of its own. */
const TOGETHER = 110;
const UNTOUCHED = "what the person had copied";

let rig: WebRig;
const trouble: string[] = [];
beforeAll(async () => {
  rig = await WebRig.open();
  const { tab, hub } = rig;
  tab.on("pageerror", (error) => trouble.push(`threw: ${error.message}`));
  tab.on("console", (said) => {
    if (said.type() === "error") trouble.push(`console: ${said.text()}`);
  });
  tab.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  tab.context().on("page", () => trouble.push("another window"));
  tab.context().on("request", (request) => {
    const inside = ["data:", "blob:", "about:", hub.url, hub.url.replace("http", "ws")];
    if (!inside.some((start) => request.url().startsWith(start))) trouble.push(request.url());
  });
  await tab.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: hub.url });
  await tab.evaluate((text) => navigator.clipboard.writeText(text), UNTOUCHED);
});
afterAll(() => rig[Symbol.asyncDispose]());

const clipboard = () => rig.tab.evaluate(() => navigator.clipboard.readText());

/** Through all of a conversation, from its end to its beginning, so that everything in it was drawn and opened. */
async function readAll(): Promise<void> {
  const list = rig.tab.locator("[data-role=conversation]");
  await list.locator("[data-index]").first().waitFor();
  await list.press("PageUp"); // only a person leaves the end
  for (let still = 0; still < 4;) {
    const before = await list.evaluate((element) => element.scrollTop);
    await list.evaluate(async (element) => {
      const closed =
        ".work-row[aria-expanded=false], .card-head[aria-expanded=false], .show-more button, [data-fold=closed]";
      for (let step = 0; step < 10; step++) {
        for (const fold of element.querySelectorAll<HTMLButtonElement>(closed)) fold.click();
        element.scrollBy(0, -700); // rows beyond the edges are drawn too
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    still =
      (await list.evaluate((element) => element.scrollTop)) >= before && before < 1 ? still + 1 : 0;
  }
}

const panels = ["Tasks", "Changes", "Context", "MCP", "Hooks", "Protocol", "Info"];

async function lookIntoPanels(): Promise<void> {
  const { tab } = rig;
  for (const name of panels) {
    const panel = await openPanel(tab, name);
    const loading = tab.getByText(/^(?:Fetching|Loading|Asking the agent)[^…]*…$/);
    await loading.waitFor({ state: "detached" });
    await panel.evaluate((element) => {
      const folds = element.querySelectorAll<HTMLElement>("summary, [aria-expanded=false]");
      for (const fold of folds) fold.click();
    });
    expect(await panel.getByText("This panel").count()).toBe(0); // what a broken one says
  }
}

test("[IV6] of hostile texts in every field of every message nothing runs, nothing is fetched and nothing breaks", async () => {
  const payloads = [...hostilePayloads(), ...terminalTricks];
  expect(payloads.length).toBeGreaterThan(300);
  const { hub, tab } = rig;
  for (let from = 0, nth = 0; from < payloads.length; from += TOGETHER, nth++) {
    const text = payloads.slice(from, from + TOGETHER).join("\n\n");
    hub.feeder.onOrder = (order) => hostileAnswer(text, order);
    // The hub takes no title with hidden characters in it.
    const session = await hub.session(toPlainName(text.replaceAll(/\s+/g, " ").slice(0, 100)));
    await hub.feeder.feed(session, hostileLines(text, nth));
    await hub.feeder.feed(session, hostileAsks(text, nth), "keeper");
    await hub.feeder.stored(session);
    await tab.goto(rig.path(session));
    await tab.locator("[data-ask]").nth(5).waitFor();
    expect(await tab.locator("[data-ask]").first().textContent()).toContain("alert(1)");
    await readAll();
    await lookIntoPanels();
    expect(tab.url()).toBe(rig.path(session));
    expect(await tab.getByText("could not be shown").allTextContents()).toEqual([]);
    expect(await tab.getByText("couldn't be shown").allTextContents()).toEqual([]);
  }
  for (const path of ["/", "/inbox"]) {
    await tab.goto(hub.url + path);
    await tab.locator("[data-ask]").nth(2).waitFor(); // a tile shows one of its own at a time
    expect(await tab.getByText("could not be shown").allTextContents()).toEqual([]);
  }
  expect(await tab.title()).not.toContain("owned");
  expect(await clipboard()).toBe(UNTOUCHED);
  expect(trouble).toEqual([]);
});

test("[IV4] output of commands steers nothing, live and when it is read again", async () => {
  const { hub, tab } = rig;
  const session = await hub.session("Tricks");
  await tab.goto(rig.path(session));
  const output = `begin ${terminalTricks.join(" between ")}\nend of output`;
  await hub.feeder.feed(session, hostileLines(output, 900).slice(0, 3));
  for (const _ of ["live", "again"]) {
    await rig.sees("end of output");
    const shown = await tab.locator("[data-role=conversation]").evaluate((list) => ({
      text: list.textContent ?? "",
      links: [...list.querySelectorAll("a")].map((link) => link.href),
    }));
    expect(shown.text).toContain("begin");
    expect(shown.links).toEqual([]);
    expect(await tab.title()).not.toContain("owned");
    expect(await clipboard()).toBe(UNTOUCHED);
    await tab.reload();
  }
  expect(trouble).toEqual([]);
});

test("[PG4] a command of 100 kB with a hostile end is shown whole, as the text it is, before it can be allowed", async () => {
  const { hub, tab } = rig;
  const end = `<img src=x onerror=alert(1)>\u001b[2K\r\u202e\u200b\u0007 ; rm -rf ~ # Allow? [Yes] \u2066`;
  const command = `echo ${"safe and sound ".repeat(6700)}\n${end}`;
  expect(command.length).toBeGreaterThan(100_000);
  const session = await hub.session("Long");
  const ask = formatLogMarker("ask_opened", {
    requestId: "long",
    kind: "permission",
    title: "Bash",
    tool: "Bash",
    input: { command },
    suggestions: [],
  });
  await hub.feeder.feed(session, [ask], "keeper");
  await tab.goto(rig.path(session));
  await tab.locator("[data-role=unfold]").waitFor();
  expect(await tab.locator("[data-role=allow]").count()).toBe(0);
  await tab.locator("[data-role=unfold]").click();
  await tab.locator("[data-role=to-end]").click();
  await tab.locator("[data-role=allow]").waitFor();
  const shown = await tab
    .locator(".ask-text .plain-text")
    .first()
    .evaluate((element) =>
      [...element.childNodes]
        .map((node) => {
          const mark =
            node instanceof HTMLElement ? /^U\+([0-9A-F]+)/.exec(node.title)?.[1] : undefined;
          return mark === undefined
            ? node.textContent
            : String.fromCodePoint(Number.parseInt(mark, 16));
        })
        .join(""),
    );
  expect(shown.length).toBe(command.length);
  expect(shown === command).toBe(true);
  expect(trouble).toEqual([]);
});
