import { expect, setDefaultTimeout, test } from "bun:test";
import { chromium } from "playwright-core";
import { chromiumFlags, ensureChromium } from "../../../../scripts/ensure-chromium.mjs";
import { ScriptedAgent } from "./scripted-agent.ts";
import { RelayStage } from "./stage.ts";

setDefaultTimeout(120_000);

/** What bundlers put into a page, and the SDK (0.3.325) expects there. */
const bundled = "globalThis.process = { env: {} };";
const page = `
  import { query } from "/sdk.js";
  globalThis.drive = async (url, token) => {
    async function* prompts() {
      const message = { role: "user", content: "go" };
      yield { type: "user", message, parent_tool_use_id: null, session_id: "" };
    }
    const asked = [];
    const websocket = { url, authMessage: { type: "auth", credential: { type: "oauth", token } } };
    const canUseTool = async (tool, input) => {
      asked.push(tool);
      return { behavior: "allow", updatedInput: input };
    };
    const types = [];
    for await (const { type } of query({ prompt: prompts(), websocket, canUseTool })) {
      types.push(type);
      if (type === "result") return { asked, types };
    }
  };`;

test("[RL30] the official SDK drives a session from a page in Chromium, with a ticket, from an origin that was named", async () => {
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
  await using stage = await RelayStage.open({ origins: [origin] });
  const { session, secret, url } = await stage.invite();
  using agent = new ScriptedAgent(url, { authorization: `Bearer ${secret}` });
  await stage.running(session);
  const { ticket } = (await stage.call("POST", "/api/tickets", {})) as { ticket: string };
  await using browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: chromiumFlags,
  });
  const tab = await browser.newPage();
  await tab.goto(origin);
  await tab.waitForFunction("globalThis.drive");
  const driven = tab.evaluate(`drive("${stage.ws}/sdk/${session}", "${ticket}")`);
  await agent.hears(({ type }) => type === "user");
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" };
  agent.say({ type: "control_request", request_id: "r", request });
  const answer = await agent.hears(({ type }) => type === "control_response");
  expect(answer).toMatchObject({ response: { request_id: "r", response: { behavior: "allow" } } });
  agent.text("from afar", { session_id: "s" });
  agent.say({
    type: "result",
    subtype: "success",
    is_error: false,
    result: "",
    session_id: "s",
    uuid: crypto.randomUUID(),
  });
  expect(await driven).toEqual({ asked: ["Bash"], types: ["assistant", "result"] });
});
