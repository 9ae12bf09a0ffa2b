import { readFileSync } from "node:fs";
import type { HookJSONOutput, Options } from "@anthropic-ai/claude-agent-sdk";
import { next, prompt, say, tool } from "../script.ts";
import type { Stage, Story } from "../story.ts";

const source = readFileSync(new URL("../asking-server.mjs", import.meta.url), "utf8");
const calls = (...names: string[]): string =>
  prompt("Call", ...names.flatMap((name) => [tool(`mcp__shop__${name}`, {}), next]), say("Done."));

type Answer = Awaited<ReturnType<NonNullable<Options["onElicitation"]>>>;

const withShop = ({ folder }: Stage): Partial<Options> => ({
  allowedTools: ["mcp__shop"],
  mcpServers: { shop: { command: "node", args: [`${folder}/shop.mjs`] } },
});

/** Opens a conversation with a server that asks questions, and a person who gives these answers. */
function withPerson(stage: Stage, answers: Answer[], options: Partial<Options> = {}) {
  return stage.open({
    ...withShop(stage),
    onElicitation(request) {
      stage.note("asked", request);
      return Promise.resolve(answers.shift() ?? { action: "cancel" });
    },
    ...options,
  });
}

/** Creates a hook that writes down its input, and answers with the contents of a file. */
const command = (matcher: string | undefined, file: string) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: "command", command: `echo "$(cat)" >> log; cat ${file} 2>/dev/null || true` }],
});

const hosts = (stage: Stage) => ({
  hooks: [
    (input: object) => {
      stage.note("hook", input);
      return Promise.resolve({});
    },
  ],
});

/** MCP servers that ask a person questions. */
export const elicitation: Story[] = [
  {
    name: "an MCP server that has a person asked, by a form and by a link",
    files: { "shop.mjs": source },
    async play(stage) {
      const content = { size: "large", count: 2 };
      const answers: Answer[] = [
        { action: "accept", content },
        { action: "decline" },
        { action: "cancel" },
        { action: "accept" },
        { action: "accept", content: { count: "many" } },
        { action: "decline" },
        { action: "accept" },
        { action: "accept" },
        { action: "accept" },
        { action: "accept" },
      ];
      const talk = withPerson(stage, answers, {
        env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1" },
      });
      await talk.turn(calls("offered", "form", "form", "named"));
      await talk.turn(calls("url", "form", "nameless", "without"));
      await talk.turn(calls("consent_in_vain", "consent_in_vain", "consent"));
    },
  },
  {
    name: "hooks that answer for the person, and hooks that change the answer",
    files: {
      "shop.mjs": source,
      ".claude/settings.json": JSON.stringify({
        hooks: {
          Elicitation: [command("shop", "elicitation"), command("other", "never")],
          ElicitationResult: [command(undefined, "result")],
        },
      }),
    },
    async play(stage) {
      const special = (hookEventName: string, said: object) =>
        JSON.stringify({ hookSpecificOutput: { hookEventName, ...said } });
      const content = { size: "large" };
      const accept: Answer = { action: "accept", content };
      const talk = withPerson(stage, [accept, accept, accept, accept], {
        hooks: { Elicitation: [hosts(stage)], ElicitationResult: [hosts(stage)] },
      });
      await talk.turn(calls("form"));
      stage.write("elicitation", special("Elicitation", { action: "accept", content: { a: 1 } }));
      await talk.turn(calls("form"));
      stage.write("elicitation", special("Elicitation", { action: "decline" }));
      await talk.turn(calls("url", "consent_in_vain"));
      stage.write("elicitation", JSON.stringify({ decision: "block", reason: "Not now" }));
      await talk.turn(calls("form"));
      stage.write("elicitation", "");
      stage.write("result", special("ElicitationResult", { action: "accept", content: { b: 2 } }));
      await talk.turn(calls("form"));
      stage.write("result", special("ElicitationResult", { action: "cancel" }));
      await talk.turn(calls("form"));
      stage.write("result", JSON.stringify({ decision: "block", reason: "Not that" }));
      await talk.turn(calls("url"));
      const lines = stage.read("log").trim().split("\n");
      stage.note(
        "hooks",
        lines.map((line) => JSON.parse(line) as unknown),
      );
    },
  },
  {
    name: "an interrupt while a person is asked, and nobody who could be",
    files: { "shop.mjs": source },
    async play(stage) {
      let asked = () => {};
      const isAsked = new Promise<void>((resolve) => (asked = resolve));
      const talk = withPerson(stage, [], {
        onElicitation(_request, { signal }) {
          asked();
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve({ action: "decline" }));
          });
        },
      });
      talk.say(calls("form"));
      await isAsked;
      await talk.query.interrupt();
      await talk.result();
      await talk.turn(calls("told"));
      await talk.end();
      const answering = (action: string, event: "Elicitation" | "ElicitationResult") => ({
        hooks: [
          () =>
            Promise.resolve({
              hookSpecificOutput: { hookEventName: event, action },
            } as HookJSONOutput),
        ],
      });
      const byHost = withPerson(stage, [{ action: "accept" }], {
        hooks: {
          Elicitation: [{ ...answering("accept", "Elicitation"), matcher: "other" }],
          ElicitationResult: [answering("decline", "ElicitationResult")],
        },
      });
      await byHost.turn(calls("form"));
      await byHost.end();
      const hooks = { Elicitation: [answering("cancel", "Elicitation")] };
      const byHook = withPerson(stage, [{ action: "accept" }], { hooks });
      await byHook.turn(calls("form"));
      await byHook.end();
      const nobody = stage.open(withShop(stage));
      await nobody.turn(calls("form", "consent"));
    },
  },
];
