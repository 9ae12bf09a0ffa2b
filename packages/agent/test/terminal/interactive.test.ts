import { describe, expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { openRig, agentOf } from "../loop/rig.ts";
import { talkOnTerminal } from "../../src/terminal/interactive.ts";

const size = { type: "string", enum: ["small", "large"] };
const schema = {
  type: "object",
  properties: { size, count: { type: "integer" }, gift: { type: "boolean", default: false } },
  required: ["size"],
};
const form = { mcp_server_name: "shop", message: "What?", mode: "form", requested_schema: schema };
const link = { mcp_server_name: "shop", message: "Pay", mode: "url", url: "https://shop.example/" };

const asking = agentOf(async ({ say, signal, prompts }, { host }) => {
  const said = prompts[0]?.content;
  const request = said === "form" ? form : said === "link" ? link : undefined;
  if (request) {
    const withdrawn = AbortSignal.any([signal, withdrawal.signal]);
    const content = [{ type: "text", text: JSON.stringify(await host.elicit(request, withdrawn)) }];
    say({ type: "assistant", parent_tool_use_id: null, message: { role: "assistant", content } });
    return "";
  }
  const tool = said === "ask me" ? "AskUserQuestion" : "Bash";
  const options = [{ label: "Red" }, { label: "Blue" }];
  const input =
    tool === "Bash" ? { command: "ls" } : { questions: [{ question: "Which?", options }] };
  const answer = await host.askPermission({ tool_name: tool, input, tool_use_id: "t" }, signal);
  const content = [{ type: "text", text: `\u001b[2J${JSON.stringify(answer)}` }];
  say({ type: "assistant", parent_tool_use_id: null, message: { role: "assistant", content } });
  return "";
});

let withdrawal = new AbortController();

/** A person at a terminal: types, and reads what stands there. */
async function person() {
  const rig = await openRig(asking, { keepsLines: false });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let seen = "";
  let wake: (() => void) | undefined;
  output.on("data", (bytes: Buffer) => {
    seen += bytes.toString();
    wake?.();
  });
  const talking = talkOnTerminal(rig.host, { input, output });
  return {
    type: (text: string) => input.write(text),
    async sees(text: string) {
      while (!seen.includes(text)) await new Promise<void>((resolve) => (wake = resolve));
      const before = seen;
      seen = "";
      return before;
    },
    async leave() {
      input.end();
      await talking;
      await rig[Symbol.asyncDispose]();
    },
  };
}

describe("on a terminal", () => {
  test("[AG44] prompts are typed, and permissions and questions answered", async () => {
    const one = await person();
    one.type("list it\n");
    await one.sees("Allow? [y/N] ");
    one.type("y\n");
    const allowed = await one.sees('"behavior":"allow"');
    expect(allowed).not.toContain("\u001b[2J");
    one.type("list it\n");
    await one.sees("Allow? [y/N] ");
    one.type("\n");
    await one.sees('"behavior":"deny"');
    one.type("ask me\n");
    await one.sees("Number, or your words: ");
    one.type("2\n");
    await one.sees('"answers":{"Which?":"Blue"}');
    await one.leave();
  });

  test("[AG44] whoever leaves with a question open has not answered it", async () => {
    const one = await person();
    one.type("list it\n");
    await one.sees("Allow? [y/N] ");
    await one.leave();
  });

  test("[AG44] what an MCP server wants to know is asked field by field", async () => {
    const one = await person();
    one.type("form\n");
    await one.sees("Answer it? [y/N] ");
    one.type("y\n");
    await one.sees("size (small, large): ");
    one.type("huge\n");
    await one.sees("size (small, large): ");
    one.type("large\n");
    await one.sees("count (integer; may be left empty): ");
    one.type("2\n");
    await one.sees("gift (boolean; otherwise false; may be left empty): ");
    one.type("\n");
    await one.sees('{"action":"accept","content":{"size":"large","count":2,"gift":false}}');
    one.type("link\n");
    await one.sees("https://shop.example/\nDone? [y/N] ");
    one.type("n\n");
    await one.sees('{"action":"decline"}');
    one.type("form\n");
    await one.sees("Answer it? [y/N] ");
    withdrawal.abort();
    await one.sees('{"action":"cancel"}');
    withdrawal = new AbortController();
    await one.leave();
  });
});
