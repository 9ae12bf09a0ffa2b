import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { CanUseTool } from "@anthropic-ai/claude-agent-sdk";
import { bash, next, prompt, say, tool } from "../script.ts";
import type { Story } from "../story.ts";

const deny: CanUseTool = () => Promise.resolve({ behavior: "deny", message: "Not now." });
const turn = (calls: readonly string[]): string =>
  prompt("Try it all", ...calls.flatMap((call) => [call, next]), say("Tried."));

const notebook = JSON.stringify({
  cells: [
    {
      cell_type: "code",
      id: "c1",
      metadata: {},
      source: ["1"],
      outputs: [],
      execution_count: null,
    },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

/**
 * What a host is told with each question: the reason, the rule, and what would make it unnecessary.
 */
export const asked: Story[] = [
  {
    name: "two asks that are open at once, and the later one is answered first",
    async play(stage) {
      const canUseTool: CanUseTool = async (_tool, { url }) => {
        if (url === "https://one.invalid/") await talk.said("user", 1); // the other's result
        else await talk.asked("can_use_tool", 2);
        return { behavior: "deny", message: "Not now." };
      };
      const talk = stage.open({ canUseTool });
      const fetches = ["one", "two"].map((name) =>
        tool("WebFetch", { url: `https://${name}.invalid/`, prompt: "What is it?" }),
      );
      await talk.turn(prompt("Fetch both", ...fetches, next, say("Done.")));
    },
  },
  {
    name: "asked about files: in the home, by links, and those that could run something",
    files: { "a.txt": "a\n", "../outside/kept.txt": "kept\n" },
    async play(stage) {
      symlinkSync("../outside", join(stage.folder, "beyond"));
      const write = (path: string) =>
        tool("Write", { file_path: join(stage.folder, path), content: "1" });
      const talk = stage.open({ canUseTool: deny, allowedTools: ["Write"] });
      await talk.turn(
        turn([
          tool("Edit", {
            file_path: join(stage.folder, "a.txt"),
            old_string: "a",
            new_string: "b",
          }),
          tool("Edit", { file_path: "~/out.txt", old_string: "", new_string: "b" }),
          tool("Read", { file_path: join(stage.folder, "beyond/kept.txt") }),
          write("beyond/new.txt"),
          ...[".git/hooks/x", ".claude/settings.json", ".claude/commands/x.md"].map(write),
          ...[".claude/skills/greet/SKILL.md", ".cargo/config.toml", "bunfig.toml"].map(write),
          write(".claude/worktrees/x"),
        ]),
      );
    },
  },
  {
    name: "rules that ask about tools, domains and parts of lines",
    files: { "a.txt": "a\n" },
    async play(stage) {
      const file_path = join(stage.folder, "a.txt");
      const whole = ["Read", "Bash", "Edit", "WebFetch"];
      const some = ["Bash(touch:*)", "WebFetch(domain:example.com)", "Read(//etc/**)", "Write(b)"];
      for (const ask of [whole, some]) {
        const talk = stage.open({ canUseTool: deny, settings: { permissions: { ask } } });
        await talk.turn(
          turn([
            tool("Read", { file_path }),
            bash("npm run x", "Run it"),
            bash("touch b && npm run x", "Make and run it"),
            tool("Edit", { file_path, old_string: "a", new_string: "b" }),
            tool("Write", { file_path: join(stage.folder, "b"), content: "1" }),
            tool("WebFetch", { url: "https://example.com/", prompt: "What is it?" }),
          ]),
        );
        await talk.end();
      }
    },
  },
  {
    name: "a rule allows a command, and not every file of the machine",
    files: { "a.txt": "a\n", "../outside/kept.txt": "kept\n" },
    async play(stage) {
      symlinkSync("../outside", join(stage.folder, "beyond"));
      const names = "cat touch mkdir sort rm cp grep".split(" ");
      const allow = [...names.map((name) => `Bash(${name}:*)`), "Read(//etc/**)", "Write(b)"];
      const talk = stage.open({ canUseTool: deny, settings: { permissions: { allow } } });
      const lines = [
        "touch in.txt",
        "cat ../outside/kept.txt",
        "touch ../outside/new.txt",
        "sort ../outside/kept.txt",
        "rm ../outside/kept.txt",
        "cp a.txt ../outside/b.txt",
        "grep x ../outside/kept.txt",
        "touch in2.txt && touch ../outside/new.txt",
      ];
      await talk.turn(
        turn([
          ...lines.map((line) => bash(line, "Try it")),
          tool("Write", { file_path: join(stage.folder, "b"), content: "1" }),
        ]),
      );
    },
  },
  {
    name: "denied: a subagent, a notebook, links, one word; skills that rules ask about",
    files: {
      "a.txt": "a\n",
      "n.ipynb": notebook,
      ".claude/skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets\n---\nhello\n",
      ".claude/skills/try/SKILL.md":
        "---\nname: try\ndescription: Tries\nallowed-tools: Bash\n---\nhello\n",
    },
    async play(stage) {
      symlinkSync("a.txt", join(stage.folder, "link"));
      symlinkSync("/etc", join(stage.folder, "far"));
      const denied = ["Bash(ls:*)", "Edit(a.txt)", "Edit(n.ipynb)", "Read(//etc/**)"];
      const permissions = { deny: denied, ask: ["Agent", "Skill"] };
      const talk = stage.open({ canUseTool: deny, settings: { permissions } });
      const at = (name: string) => join(stage.folder, name);
      const cell = { notebook_path: at("n.ipynb"), cell_id: "c1", new_source: "2" };
      await talk.turn(
        turn([
          bash("ls", "List"),
          bash("ls -a", "List all"),
          tool("NotebookEdit", cell),
          tool("Read", { file_path: at("n.ipynb") }),
          tool("NotebookEdit", cell),
          tool("Read", { file_path: at("a.txt") }),
          tool("Edit", { file_path: at("a.txt"), old_string: "a", new_string: "b" }),
          tool("Edit", { file_path: at("link"), old_string: "a", new_string: "b" }),
          tool("Read", { file_path: at("far/hostname") }),
          tool("Agent", { description: "Go", prompt: "Go", subagent_type: "general-purpose" }),
          tool("Skill", { skill: "greet" }),
          tool("Skill", { skill: "try" }),
        ]),
      );
    },
  },
];
