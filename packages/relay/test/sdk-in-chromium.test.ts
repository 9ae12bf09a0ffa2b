import { connect } from "@signalbox/client";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chromiumFlags, ensureChromium } from "../../../scripts/ensure-chromium.mjs";
import { relayExtension } from "@signalbox/relay";
import { openWhole, settle } from "@signalbox/testing/whole-hub";
import { person } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

/** What bundlers put into a page, and the SDK (0.3.325) expects there. */
const bundled = "globalThis.process = { env: {} };";
const page = `
  import { query } from "/sdk.js";
  const say = (content) => ({
    type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "",
  });
  globalThis.drive = async (url, token, texts, more = {}) => {
    let turnOver;
    async function* prompts() {
      for (const text of texts) {
        const over = new Promise((resolve) => (turnOver = resolve));
        yield say(text);
        await over;
      }
    }
    const asked = [];
    const websocket = { url, authMessage: { type: "auth", credential: { type: "oauth", token } } };
    const canUseTool = async (tool, input) => {
      asked.push([tool, input.command]);
      return input.command.includes("yes")
        ? { behavior: "allow", updatedInput: input }
        : { behavior: "deny", message: "not this" };
    };
    const messages = [];
    for await (const message of query({ prompt: prompts(), websocket, canUseTool, ...more })) {
      messages.push(message);
      if (message.type !== "result") continue;
      if (messages.filter(({ type }) => type === "result").length === texts.length) break;
      turnOver();
    }
    const results = messages.flatMap((each) => (each.type === "result" ? [each.result] : []));
    return { asked, results, types: [...new Set(messages.map(({ type }) => type))] };
  };
  globalThis.refusal = (url, token) =>
    drive(url, token, ["x"], { hooks: { Stop: [{ hooks: [async () => ({})] }] } }).then(
      () => "none", (failure) => String(failure));`;

const touch = (name: string) => `::tool Bash ${JSON.stringify({ command: `touch ${name}` })}`;

test("[RL30] the official SDK drives the real Claude Code from a page of a declared origin in Chromium, with a ticket", async () => {
  const sdk = Bun.file(Bun.resolveSync("@anthropic-ai/claude-agent-sdk/browser", import.meta.dir));
  using site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      url.endsWith("/sdk.js")
        ? new Response(sdk, { headers: { "content-type": "text/javascript" } })
        : new Response(`<script>${bundled}</script><script type="module">${page}</script>`, {
            headers: { "content-type": "text/html" },
          }),
  });
  const origin = `http://127.0.0.1:${site.port}`;
  await using whole = await openWhole(relayExtension({ dialIn: { origins: [origin] } }));
  const { hub, folder } = whole;
  const { device } = await settle(whole);
  const { id } = await hub.engine.sessions.create(crypto.randomUUID(), { folder }, person);
  await using browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: chromiumFlags,
  });
  const tab = await browser.newPage();
  await tab.goto(origin);
  await tab.waitForFunction("globalThis.drive");
  const inPage = async (what: string, ...more: unknown[]) => {
    using client = connect({ url: hub.url, device });
    const ticket = await client.sdkTicket(id, Date.now() + 600_000);
    const given = [`${hub.url.replace("http", "ws")}/sdk/${id}`, ticket, ...more];
    return tab.evaluate(`${what}(...${JSON.stringify(given)})`);
  };

  const first = [touch("yes.txt"), touch("no.txt"), "::say from the page"].join("\n");
  const driven = await inPage("drive", [first, "::say and again"]);
  expect(driven).toMatchObject({
    asked: [
      ["Bash", "touch yes.txt"],
      ["Bash", "touch no.txt"],
    ],
    results: ["from the page", "and again"],
    types: expect.arrayContaining(["system", "stream_event", "assistant", "user", "result"]),
  });
  expect(["yes.txt", "no.txt"].map((name) => existsSync(join(folder, name)))).toEqual([
    true,
    false,
  ]);
  const items = await hub.engine.history.listItems(id, undefined, 100);
  const texts = items.flatMap((item) => (item.kind === "text" ? [item.text] : []));
  expect(texts).toEqual(["from the page", "and again"]);
  expect(hub.engine.sessions.get(id)).toMatchObject({
    run: { driver: "stdio", version: "2.1.325" },
  });
  expect(await inPage("refusal")).toContain("Not supported here: the hook Stop.");
});
