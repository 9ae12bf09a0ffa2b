import { bash, next, prompt, say, tool } from "../script.ts";
import type { Stage, Story } from "../story.ts";

const files = { "a.txt": "a\n", "sub/b.txt": "b\n" };

/** Lists, pipes and redirections: for which of them what is suggested. */
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
/** Beside a `cd` nobody knows for certain where a path leads. */
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
/** Files by which something could be made to run. */
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
/** What a rule for the command does not cover. */
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

async function ask(stage: Stage, lines: readonly string[], options: object): Promise<void> {
  const talk = stage.open({
    canUseTool: () => Promise.resolve({ behavior: "deny", message: "Not here, please." }),
    ...options,
  });
  const calls = lines.flatMap((line) => [bash(line, "Try"), next]);
  await talk.turn(prompt("Try", ...calls, say("So it went.")));
  await talk.end();
}

export const askedLines: Story[] = [
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
