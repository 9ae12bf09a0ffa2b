import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chromiumFlags, ensureChromium } from "../../../../scripts/ensure-chromium.mjs";
import { decode } from "@signalbox/protocol";
import { advance, createTimeline } from "@signalbox/timeline";
import { EngineStage } from "@signalbox/testing/engine-stage";

setDefaultTimeout(180_000);

const KEY = "sk-ant-api03-Zx9Qw7Er5Ty3Ui1Op0As8Df6Gh4Jk2Lz";
const RANDOM = "q8Zr4Lw1Xv6Tn3Bk9Hs2Yd7Gm5Pc0Jf";

test("[EX1] [EX2] [EX3] [EX4] a conversation is exported as Markdown, HTML and lines that can be replayed, without keys, home folders, addresses and chosen words", async () => {
  await using stage = await EngineStage.open();
  const { exports } = stage.engine;
  const { id } = await stage.create({
    prompt: {
      text: `::tool Bash {"command":"seq 1 5000; echo ${RANDOM}"}\n::say Done, **well**. <script>alert(1)</script> [home](javascript:alert(1)) ![x](https://example.com/x.png) ${KEY} ada@example.com in /home/ada/code for Project Falcon.`,
    },
  });
  await stage.turns(id, 1);
  const read = async (format: "markdown" | "html" | "jsonl", keep = "", words = "falcon") =>
    (await exports.export(id, { format, keep, words })).text();

  const { findings, items } = await exports.preview(id, { format: "html", words: "falcon" });
  expect(items).toBeGreaterThan(2);
  const kinds = new Map(findings.map((finding) => [finding.text, finding.kind]));
  expect(kinds.get(KEY)).toBe("key");
  expect(kinds.get(RANDOM)).toBe("entropy");
  expect(kinds.get("ada@example.com")).toBe("email");
  expect(kinds.get("/home/ada")).toBe("home");
  expect(kinds.get("Falcon")).toBe("word");

  const secrets = [KEY, RANDOM, "ada@example.com", "/home/ada", "Falcon"];
  for (const format of ["markdown", "html", "jsonl"] as const) {
    const text = await read(format);
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
    expect(text.includes("2500")).toBe(true); // of a result that the page shows in part
  }
  const key = findings.find(({ text }) => text === KEY);
  expect((await read("markdown", key?.id)).includes(KEY)).toBe(true);

  const html = await read("html");
  expect(html.includes("<strong>well</strong>")).toBe(true);
  expect(/<script|href="javascript:|<img src="http/i.test(html)).toBe(false);
  expect(html.includes("default-src 'none'")).toBe(true);

  const stored = (await stage.store.linesAfter(id, 0, 1000)).map(({ text }) => text);
  const rows = (await read("jsonl", findings.map((each) => each.id).join(","), ""))
    .trim()
    .split("\n")
    .slice(1) // the header
    .map(
      (row) => JSON.parse(row) as { from: "agent" | "host" | "keeper"; at: number; raw: string },
    );
  expect(rows.length).toBe(stored.length);
  let state = createTimeline();
  const texts = new Map<string, string>();
  for (const { from, at, raw } of rows) {
    const step = advance(state, { from, at, line: decode(raw) });
    state = step.state;
    for (const item of step.changed) if (item.kind === "text") texts.set(item.id, item.text);
  }
  expect([...texts.values()].length).toBe((await stage.texts(id)).length);
});

test("[EX2] an exported HTML file is read in a browser without network and without script", async () => {
  await using stage = await EngineStage.open();
  const { id } = await stage.create({
    prompt: {
      text: '::tool Bash {"command":"echo printed"}\n::say # A heading\n::say and **bold**.',
    },
  });
  await stage.turns(id, 1);
  const query = { format: "html", keep: "", words: "" } as const;
  const file = join(stage.place, "talk.html");
  writeFileSync(file, await (await stage.engine.exports.export(id, query)).text());
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
  try {
    const context = await browser.newContext({ offline: true, javaScriptEnabled: false });
    const page = await context.newPage();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`file://${file}`);
    expect(await page.locator("strong").innerText()).toBe("bold");
    await page.locator("summary", { hasText: "echo printed" }).click();
    expect(await page.locator("details[open] pre").last().innerText()).toContain("printed");
    expect(requests).toEqual([`file://${file}`]);
  } finally {
    await browser.close();
  }
});

test("[EX3] `signalbox replay` reads an exported JSONL file", async () => {
  await using stage = await EngineStage.open();
  const { id } = await stage.create({ prompt: { text: "::say Read me again." } });
  await stage.turns(id, 1);
  const file = join(stage.place, "talk.jsonl");
  const query = { format: "jsonl", keep: "", words: "" } as const;
  writeFileSync(file, await (await stage.engine.exports.export(id, query)).text());
  const main = join(import.meta.dir, "../../../cli/src/main.ts");
  const { stdout } = Bun.spawnSync([process.execPath, main, "replay", file, "--output", "text"]);
  expect(stdout.toString()).toContain("\nRead me again.\n");
});
