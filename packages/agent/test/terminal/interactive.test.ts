import { describe, expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { openRig, agentOf } from "../loop/rig.ts";
import { talkOnTerminal } from "../../src/terminal/interactive.ts";

const asking = agentOf(async ({ say, signal, prompts }, { host }) => {
  const tool = prompts[0]?.content === "ask me" ? "AskUserQuestion" : "Bash";
  const options = [{ label: "Red" }, { label: "Blue" }];
  const input =
    tool === "Bash" ? { command: "ls" } : { questions: [{ question: "Which?", options }] };
  const answer = await host.askPermission({ tool_name: tool, input, tool_use_id: "t" }, signal);
  const content = [{ type: "text", text: `\u001b[2J${JSON.stringify(answer)}` }];
  say({ type: "assistant", parent_tool_use_id: null, message: { role: "assistant", content } });
  return "";
});

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
});
