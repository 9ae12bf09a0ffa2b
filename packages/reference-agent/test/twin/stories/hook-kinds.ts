import { readFileSync } from "node:fs";
import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Stage, type Story } from "../story.ts";

const source = readFileSync(new URL("../mcp-server.mjs", import.meta.url), "utf8");
const command = (line: string) => ({ type: "command", command: line });
const touch = (name: string): string[] => [bash(`touch ${name}`, "Make a file"), next];
const verdict = (ok: boolean, reason: string) => tool("StructuredOutput", { ok, reason });

/** The condition for calls that create this file. */
const about = (name: string) => ({ if: `Bash(touch ${name})` });

function open(stage: Stage, hooks: object, more: object = {}) {
  return stage.open({
    canUseTool: allow,
    includeHookEvents: true,
    settings: JSON.stringify({ hooks }) as never,
    ...more,
  });
}

/** Hooks of settings that are not commands, and how hooks end. */
export const hookKinds: Story[] = [
  {
    name: "hooks that call a tool of an MCP server",
    files: { "server.mjs": source },
    async play(stage) {
      const call = (name: string, input: object = {}, more: object = {}) => ({
        type: "mcp_tool",
        server: "shop",
        tool: name,
        input,
        ...more,
      });
      const deny = {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Not this one.",
      };
      const told = {
        name: "${tool_name} of ${tool_input.command}",
        whole: ["${tool_input}", "${nothing.there}"],
        number: 3,
      };
      const answer = (value: object) => ({ answer: JSON.stringify(value) });
      const before = [
        call("echo", told, about("told")),
        call("echo", answer({ hookSpecificOutput: deny }), about("denied")),
        call("echo", answer({ decision: "block" }), about("blocked")),
        call("fail", {}, { ...about("failed"), onFailure: "block" }),
        call("structure", {}, about("structured")),
        call("picture", {}, about("pictured")),
        call("wait", {}, { ...about("late"), timeout: 1 }),
        { type: "mcp_tool", server: "nobody", tool: "echo", ...about("alone") },
      ];
      const hooks = {
        SessionStart: [{ hooks: [call("go")] }],
        UserPromptSubmit: [{ hooks: [call("go")] }],
        PreToolUse: [{ hooks: before }],
        PostToolUse: [{ hooks: [call("fail", {}, about("told"))] }],
        Stop: [{ hooks: [call("fail_silently")] }],
      };
      const server = { type: "stdio", command: "node", args: [`${stage.folder}/server.mjs`] };
      const talk = open(stage, hooks, { mcpServers: { shop: server } });
      const names = "told denied blocked failed structured pictured late alone unasked".split(" ");
      await talk.turn(prompt("Try", ...names.flatMap(touch), say("Tried.")));
    },
  },
  {
    name: "hooks that have an agent or a prompt judge",
    async play(stage) {
      const judge = (type: string, name: string, ...lines: string[]) => ({
        type,
        prompt: ["Judge $ARGUMENTS", ...lines].join("\n"),
        ...about(name),
      });
      const before = [
        judge("agent", "fine", bash("touch own.txt", "Try"), next, verdict(true, "It is fine.")),
        judge(
          "agent",
          "denied",
          tool("Write", { file_path: "own.txt", content: "x" }),
          next,
          verdict(false, "No."),
        ),
        judge("agent", "unsure", say("I do not know.")),
        { ...judge("agent", "late", "::stall"), timeout: 1 },
        judge("prompt", "odd", say("This is no verdict.")),
        judge("prompt", "ended", say('{"ok": false, "reason": "That is enough."}')),
      ];
      const hooks = {
        SessionStart: [{ hooks: [judge("agent", "never"), judge("prompt", "never")] }],
        PreToolUse: [{ hooks: before }],
        PostToolUse: [{ hooks: [judge("agent", "fine", verdict(false, "Not so."))] }],
      };
      const talk = open(stage, hooks, { permissionMode: "acceptEdits" });
      const names = "fine denied unsure late odd ended".split(" ");
      await talk.turn(prompt("Try", ...names.flatMap(touch), say("Tried.")));
      await talk.turn("/compact");
    },
  },
  {
    name: "a stop hook that always blocks, and hooks that fail when a session ends",
    async play(stage) {
      const fails = ["echo Not so. >&2; exit 2", "exit 4"];
      const hooks = {
        Stop: [{ hooks: [command("echo Go on. >&2; exit 2")] }],
        SessionEnd: [{ hooks: fails.map(command) }],
      };
      await open(stage, hooks).turn(prompt("Say it", say("Said.")));
    },
  },
];
