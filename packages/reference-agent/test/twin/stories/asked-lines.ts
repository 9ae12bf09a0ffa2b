import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { CanUseTool, Options } from "@anthropic-ai/claude-agent-sdk";
import { bash, errand, next, prompt, say, tool } from "../script.ts";
import type { Stage, Story } from "../story.ts";

const files = { "a.txt": "a\n", "sub/b.txt": "b\n" };

/** Lists, pipes and redirections, to compare which of them get suggestions. */
const sums = [
  "npm i && npm t && touch x",
  "npm i && npm i x; npm i y",
  "a && b && c && d && e && f",
  "curl a | jq . | sh",
  "npm i | npm t && npm x",
  "npm i a | npm i a",
  "touch x; npm i | touch z",
  "touch x | touch y",
  "cat /etc/passwd | touch x",
  "cat /etc/passwd && cat /usr/x | npm i",
  "cat /etc/passwd && cat /etc/hosts",
  "touch /tmp/x && touch y",
  "ls && npm i > x",
  "npm i && ls > x",
  "ls > x | cat",
  "npm i > x | cat",
  "find . -name x -delete | cat",
];
/** Lines with a `cd`, after which the target of a path is uncertain. */
const moves = [
  "cd /usr && ls",
  "cd /usr && cat a.txt",
  "cd /usr && npm test",
  "cd sub && git status",
  "git status && cd sub",
  "cd . && git status",
  "cd sub && cd .. && ls",
  "cd sub && touch a",
  "cd sub && npm i && touch x",
  "cd sub && echo a > b",
  "pushd sub && touch x",
];
/** Files that could cause something to run. */
const steering = [
  "echo hi > .git/config",
  "echo x > .claude/settings.json",
  "echo x >> ~/.bashrc",
  "cp a.txt .git/hooks/pre-commit",
  "echo x | tee .git/x",
  "npm i && echo x > .git/config",
  "npm i | touch .git/x",
  "cd sub && touch .git/x",
];
/** Lines that a rule for the command does not cover. */
const beyond = [
  "cat /etc/passwd",
  "touch /tmp/x",
  "touch sub/../x",
  "touch *.txt",
  "find . -delete",
  "npm i && python3 a.py",
  "cat /etc/passwd | npm i",
];
const allow = "npm touch cat find git cd ls".split(" ").map((name) => `Bash(${name}:*)`);

const errandTo = (call: string): string =>
  tool("Agent", errand("general-purpose", "Go", call, next, say("Gone.")));

async function ask(stage: Stage, lines: readonly string[], options: object): Promise<void> {
  const talk = stage.open({
    canUseTool: () => Promise.resolve({ behavior: "deny", message: "Not here, please." }),
    ...options,
  });
  const calls = lines.flatMap((line) => [bash(line, "Try"), next]);
  await talk.turn(prompt("Try", ...calls, say("So it went.")));
  await talk.end();
}

/** Lines in which links, folders and time limits change the question. */
const turns = [
  "cat beyond/kept.txt",
  "ls far",
  "touch beyond/x",
  "echo a > beyond/y",
  "cp a.txt beyond/",
  "touch beyond/x && npm i",
  "touch beyond/x | cat",
  "ls /etc",
  "rm -rf sub",
  "sed s/a/b/ a.txt",
  "cat a.txt | sed s/a/b/",
  "timeout 5 touch q",
  "cd sub && touch y",
  "alias ll=ls",
  "cat <<E > h.txt\nx\nE",
  "cat <<E | wc\nx\nE",
  "ls &",
  "cd sub",
  "rm -rf .",
  "rm -rf ../sub",
];

export const askedLines: Story[] = [
  {
    name: "asked about lines: links, folders, substitutions, time limits, where the shell is",
    files: { ...files, "../outside/kept.txt": "kept\n" },
    async play(stage) {
      symlinkSync("../outside", join(stage.folder, "beyond"));
      symlinkSync("/etc", join(stage.folder, "far"));
      await ask(stage, turns, {});
      await ask(stage, turns, { permissionMode: "acceptEdits" });
    },
  },
  {
    name: "a plan holds tools of servers that rules allow, and what hooks allow",
    files: {
      ".claude/skills/try/SKILL.md":
        "---\nname: try\ndescription: Tries\nallowed-tools: Bash\n---\nhello\n",
    },
    async play(stage) {
      const hookSpecificOutput = {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
      } as const;
      const hook = () => Promise.resolve({ hookSpecificOutput });
      const server = new URL("../mcp-server.mjs", import.meta.url).pathname;
      // The SDK's types do not contain this setting.
      const freely = { useAutoModeDuringPlan: false };
      const options: Partial<Options> = {
        permissionMode: "plan",
        settings: { permissions: { allow: ["mcp__shop"] }, ...freely },
        mcpServers: { shop: { command: process.execPath, args: [server] } },
      };
      const call = tool("mcp__shop__go", {});
      const calls = [call, bash("touch q", "Make it"), bash("ls", "Look"), errandTo(call)];
      const lines = [...calls, tool("Skill", { skill: "try" })].flatMap((one) => [one, next]);
      const hooks = { PreToolUse: [{ matcher: "Bash|Skill", hooks: [hook] }] };
      const deny: CanUseTool = () => Promise.resolve({ behavior: "deny", message: "Plan first." });
      for (const more of [{ canUseTool: deny }, { canUseTool: deny, hooks }, {}]) {
        const talk = stage.open({ ...options, ...more });
        await talk.turn(prompt("Plan", ...lines, say("So it went.")));
        await talk.end();
      }
    },
  },
  {
    name: "what is suggested for lists, pipes and moves",
    files,
    async play(stage) {
      await ask(stage, [...sums, ...moves, ...steering], {});
      const line = `cd ${stage.folder} && touch x`;
      await ask(stage, [line], {});
      const write = (file_path: string) => tool("Write", { file_path, content: "x" });
      const own = ["settings.json", "other.md", "agents/a.md", "skills/a/SKILL.md"];
      const calls = own.flatMap((name) => [write(`${stage.folder}/.claude/${name}`), next]);
      const talk = stage.open({
        canUseTool: () => Promise.resolve({ behavior: "deny", message: "Not here, please." }),
      });
      await talk.turn(prompt("Write", ...calls, say("So it went.")));
    },
  },
  {
    name: "what rules for commands do not cover",
    files,
    async play(stage) {
      await ask(stage, [...moves, ...steering, ...beyond], {
        settings: { permissions: { allow } },
      });
      await ask(stage, [...moves, ...steering], { permissionMode: "acceptEdits" });
    },
  },
  {
    name: "an answer cannot end all asking",
    async play(stage) {
      const change = {
        type: "setMode",
        mode: "bypassPermissions",
        destination: "session",
      } as const;
      const talk = stage.open({
        canUseTool: (_tool, updatedInput) =>
          Promise.resolve(
            updatedInput["description"] === "First"
              ? { behavior: "allow", updatedInput, updatedPermissions: [change] }
              : { behavior: "deny", message: "Not here, please." },
          ),
      });
      const calls = [bash("touch first", "First"), next, bash("touch second", "Second")];
      await talk.turn(prompt("Try", ...calls, say("So it went.")));
    },
  },
  {
    name: "a plan that is approved together with edits",
    async play(stage) {
      const talk = stage.open({
        permissionMode: "plan",
        settings: { useAutoModeDuringPlan: false } as never,
        canUseTool: (name, updatedInput) =>
          Promise.resolve({
            behavior: "allow",
            updatedInput,
            ...(name === "ExitPlanMode" && {
              updatedPermissions: [
                { type: "setMode", mode: "acceptEdits", destination: "session" } as const,
              ],
            }),
          }),
      });
      const write = (name: string) => tool("Write", { file_path: name, content: "x\n" });
      const plan = tool("ExitPlanMode", { plan: "1. Write it" });
      await talk.turn(prompt("Plan", plan, next, write("unasked.txt"), say("Written.")));
    },
  },
];
