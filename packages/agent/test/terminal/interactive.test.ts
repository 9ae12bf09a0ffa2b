import { describe, expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import type { JsonObject } from "@signalbox/protocol/wire";
import type { Turn } from "../../src/agent.ts";
import { runTerminal } from "../../src/terminal/interactive.ts";
import { openTurnAgent, openRig } from "../loop/rig.ts";
import { until } from "@signalbox/testing/until";

const options = [{ label: "Red", description: "Warm" }, { label: "Blue" }];
const suggestions = [
  {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: "ls:*" }],
    behavior: "allow",
    destination: "localSettings",
  },
  { type: "setMode", mode: "acceptEdits", destination: "session" },
];
const asks: Readonly<
  Record<string, { tool_name: string; input: object; permission_suggestions?: object[] }>
> = {
  "ask me": {
    tool_name: "AskUserQuestion",
    input: {
      questions: [
        { question: "Which?", options },
        { question: "Which ones?", multiSelect: true, options },
      ],
    },
  },
  plan: { tool_name: "ExitPlanMode", input: { plan: "# Plan\n1. Do it" } },
};
const bash = {
  tool_name: "Bash",
  input: { command: "ls\u001b[2J\n-la" },
  permission_suggestions: suggestions,
};

const size = { type: "string", enum: ["small", "large"] };
const schema = {
  type: "object",
  properties: { size, count: { type: "integer" }, gift: { type: "boolean", default: false } },
  required: ["size"],
};
const server = { mcp_server_name: "shop" };
const requests: Readonly<Record<string, JsonObject>> = {
  form: { ...server, message: "What?", mode: "form", requested_schema: schema },
  link: { ...server, message: "Pay", mode: "url", url: "https://shop.example/" },
};
let withdrawal = new AbortController();

function speak(say: Turn["say"], text: string): void {
  const content = [{ type: "text", text }];
  say({ type: "assistant", parent_tool_use_id: null, message: { role: "assistant", content } });
}

const asking = openTurnAgent(async ({ say, signal, prompts }, { host }) => {
  const content = prompts[0]?.content;
  const request = typeof content === "string" ? requests[content] : undefined;
  if (request) {
    const withdrawn = AbortSignal.any([signal, withdrawal.signal]);
    speak(say, JSON.stringify(await host.elicit(request, withdrawn)));
    return "";
  }
  const asked = (typeof content === "string" ? asks[content] : undefined) ?? bash;
  const ask = () => host.askPermission({ ...asked, tool_use_id: "t" } as never, signal);
  const answers = await Promise.all(content === "both" ? [ask(), ask()] : [ask()]);
  speak(say, `\u001b[2J${JSON.stringify(answers)}`);
  return "";
});

/** Simulates a person at a terminal, who types and reads the screen. */
async function person() {
  const rig = await openRig(asking, { keepsLines: false });
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { columns: 1000 });
  let seen = "";
  output.on("data", (bytes: Buffer) => (seen += bytes.toString()));
  const talking = runTerminal(rig.host, { input, output });
  return {
    type: (text: string) => input.write(text),
    async sees(text: string) {
      await until(`the screen shows ${text}`, () => seen.includes(text), { seen: () => seen });
      const end = seen.indexOf(text) + text.length;
      const before = seen.slice(0, end);
      seen = seen.slice(end);
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
  test("[AG44] a permission can be answered with yes, always, no, or an instruction", async () => {
    const one = await person();
    one.type("list it\n");
    const asked = await one.sees("Allow? ");
    expect(asked).toContain("    ls[2J\n    -la\n");
    expect(asked).toContain("a  yes, and always: Bash(ls:*) in this folder");
    one.type("y\n");
    const allowed = await one.sees('"behavior":"allow"');
    expect(allowed).not.toContain("\u001b[2J");
    one.type("list it\n");
    await one.sees("Allow? ");
    one.type("x\n");
    await one.sees("Allow? ");
    one.type("a\n");
    expect(await one.sees("}]\n")).toContain(
      `"updatedPermissions":${JSON.stringify(suggestions.slice(0, 1))}`,
    );
    one.type("list it\n");
    await one.sees("Allow? ");
    one.type("e\n");
    expect(await one.sees("}]\n")).toContain(
      `"updatedPermissions":${JSON.stringify(suggestions.slice(1))}`,
    );
    one.type("list it\n");
    await one.sees("Allow? ");
    one.type("\n");
    expect(await one.sees("}]\n")).toContain('"interrupt":true');
    one.type("list it\n");
    await one.sees("Allow? ");
    one.type("look at the other folder\n");
    expect(await one.sees("}]\n")).toContain("said no, and: look at the other folder");
    await one.leave();
  });

  test("[AG44] questions and plans are answered with numbers or words, one after the other", async () => {
    const one = await person();
    one.type("ask me\n");
    expect(await one.sees("your words: ")).toContain("  1  Red — Warm\n  2  Blue\n");
    one.type("3\n");
    await one.sees("your words: ");
    one.type("2\n");
    await one.sees("Numbers with commas, or your words: ");
    one.type("1, 2\n");
    await one.sees('"answers":{"Which?":"Blue","Which ones?":"Red, Blue"}');
    one.type("plan\n");
    expect(await one.sees("Go ahead? ")).toContain("    # Plan\n    1. Do it\n");
    one.type("a\n");
    expect(await one.sees("}]\n")).toContain('"mode":"acceptEdits"');
    one.type("both\n");
    await one.sees("Allow? ");
    one.type("first\n");
    await one.sees("Allow? ");
    one.type("second\n");
    const [first, second] = (await one.sees("}]\n")).split("},{");
    expect([first, second]).toEqual([
      expect.stringContaining("first"),
      expect.stringContaining("second"),
    ]);
    await one.leave();
  });

  test("[AG44] leaving while a question is open does not answer it", async () => {
    const one = await person();
    one.type("list it\n");
    await one.sees("Allow? ");
    await one.leave();
  });

  test("[AG44] an MCP server's questions are asked field by field", async () => {
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
