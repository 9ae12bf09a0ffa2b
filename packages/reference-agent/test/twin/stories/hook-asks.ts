import { createSdkMcpServer, tool as mcpTool } from "@anthropic-ai/claude-agent-sdk";
import { bash, errand, next, prompt, say, tool } from "../script.ts";
import { allow, type Stage, type Story } from "../story.ts";

const files = {
  "read.txt": "hello\n",
  ".claude/skills/look/SKILL.md": "---\nname: look\ndescription: Looks at it\n---\n\nLook at it.\n",
};
const server = () => ({
  inside: createSdkMcpServer({
    name: "inside",
    tools: ["one", "two"].map((name) =>
      mcpTool(name, name, {}, () => Promise.resolve({ content: [{ type: "text", text: name }] })),
    ),
  }),
});
const asks = (more: object = {}) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", ...more },
});
const byHost = (more: object = {}) => ({
  PreToolUse: [{ hooks: [() => Promise.resolve(asks(more) as object)] }],
});
const calls = ({ folder }: Stage) =>
  prompt(
    "Do it all",
    tool("Read", { file_path: `${folder}/read.txt` }),
    next,
    tool("Write", { file_path: `${folder}/written.txt`, content: "x" }),
    next,
    tool("Skill", { skill: "look" }),
    next,
    bash("ls read.txt", "List"),
    next,
    tool("mcp__inside__one", {}),
    next,
    tool("mcp__inside__two", {}),
    next,
    tool("Task", errand("general-purpose", "Answer", say("Answered."))),
    next,
    say("Done."),
  );
const settings = (content: object) => ({ ".claude/settings.json": JSON.stringify(content) });
const command = (more: object) => ({
  hooks: {
    PreToolUse: [{ hooks: [{ type: "command", command: `echo '${JSON.stringify(asks(more))}'` }] }],
  },
});

/** The variables that are the same on every machine. */
const VARIABLES =
  "env | grep -E '^(AI_AGENT|CLAUDECODE|CLAUDE_EFFORT|CLAUDE_AGENT_|CLAUDE_CODE_(CHILD|SDK|SESSION_ATT|ENTRY)|GIT_EDITOR|COREPACK)' | sort";

/** Hooks that let a person decide, and hooks that are turned off. */
export const hookAsks: Story[] = [
  {
    name: "hooks that ask without a reason",
    files: { ...files, ...settings({ permissions: { ask: ["mcp__inside__two"] } }) },
    async play(stage) {
      const quiet = [{ hooks: [() => Promise.resolve({})] }];
      const hooks = { ...byHost(), PermissionRequest: quiet, PostToolUse: quiet };
      await stage.open({ canUseTool: allow, mcpServers: server(), hooks }).turn(calls(stage));
    },
  },
  {
    name: "hooks that ask, and nobody who could be asked",
    files: { ...files, ...settings(command({})) },
    async play(stage) {
      const mcpServers = server();
      await stage.open({ mcpServers }).turn(calls(stage));
      await stage.open({ mcpServers: server(), permissionMode: "dontAsk" }).turn(calls(stage));
      const hooks = byHost({ permissionDecisionReason: "Better not." });
      const strict = { settings: JSON.stringify({ disableAllHooks: true }) };
      await stage.open({ mcpServers: server(), hooks, ...strict }).turn(calls(stage));
    },
  },
  {
    name: "hooks that allow or ask in the mode that does not ask",
    files: settings({
      permissions: { ask: ["Bash(touch asked*)"], deny: ["Bash(touch denied*)"] },
    }),
    async play(stage) {
      const allows = { hookEventName: "PreToolUse", permissionDecision: "allow" };
      const hook = (input: object) =>
        Promise.resolve(
          JSON.stringify(input).includes("well") ? { hookSpecificOutput: allows } : asks(),
        );
      const hooks = { PreToolUse: [{ hooks: [hook as () => Promise<object>] }] };
      const talk = stage.open({ canUseTool: allow, permissionMode: "dontAsk", hooks });
      const lines = ["touch well", "touch asked", "touch asked-well", "touch denied-well"];
      const calls = [
        ...lines.map((line) => bash(line, "Make")),
        tool("Write", { file_path: `${stage.folder}/.git/hooks/well`, content: "x" }),
        tool("Write", { file_path: `${stage.folder}/well.txt`, content: "x" }),
      ];
      await talk.turn(prompt("Do it", ...calls.flatMap((call) => [call, next]), say("Done.")));
    },
  },
  {
    name: "hooks are switched off",
    files: settings({ disableAllHooks: true, ...command({}) }),
    async play(stage) {
      const hello = prompt("Hello", bash("ls .claude", "List"), next, say("Good day."));
      await stage.open().turn(hello);
      await stage.open({ hooks: byHost(), canUseTool: allow }).turn(hello);
      await stage.open({ settings: JSON.stringify({ disableAllHooks: false }) }).turn(hello);
    },
  },
  {
    name: "what hooks and commands find in their environment",
    files: settings({
      hooks: Object.fromEntries(
        ["SessionStart", "UserPromptSubmit", "PreToolUse"].map((event) => [
          event,
          [{ hooks: [{ type: "command", command: `${VARIABLES} > ${event}.txt` }] }],
        ]),
      ),
    }),
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      await talk.turn(prompt("Look", bash(`${VARIABLES} > Bash.txt`, "Look"), next, say("Seen.")));
    },
  },
  {
    name: "hooks that give no usable answer, again and again",
    files: settings({
      hooks: {
        PreToolUse: [
          {
            hooks: ["ask", "asks"].map((decision) => ({
              type: "command",
              command: `echo '{"decision":"${decision}"}'`,
            })),
          },
        ],
      },
    }),
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      const look = bash("ls .claude", "List");
      for (const word of ["One.", "Two."]) {
        await talk.turn(prompt("Look", look, next, look, next, say(word)));
      }
    },
  },
];
