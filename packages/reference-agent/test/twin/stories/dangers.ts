import { bash, next, prompt, say, tool } from "../script.ts";
import type { Story } from "../story.ts";

const inTurn = (calls: readonly string[]): string[] => calls.flatMap((call) => [call, next]);

/**
 * Calls that stay forbidden or require a question, whoever has allowed them. Nothing that is named
 * here exists outside of the story's own folders.
 */
export const dangers: Story[] = [
  {
    name: "removals that no rule allows",
    files: { "d/e.txt": "e\n", "a.txt": "a\n" },
    async play(stage) {
      const talk = stage.open({
        settings: { permissions: { allow: ["Bash"] } },
        canUseTool: () => Promise.resolve({ behavior: "deny", message: "No." }),
      });
      const lines = [
        "rm -rf /no-such-folder",
        "timeout 5 rm -rf /no-such-folder/*",
        "rmdir /no-such-folder",
        "X=/no-such-folder; rm -rf $X",
        "sh -c 'rm -rf /no-such-folder'",
        "rm -rf ~/*",
        "rm -r $HOME",
        "rm -rf ./",
        "rm *",
        "rm -rf d/..",
        "cd d && rm -rf *",
        'rm -rf "$(echo d)"',
        "rm -rf /no-such-folder/below d",
      ];
      const commands = lines.map((line) => bash(line, "Remove it"));
      await talk.turn(prompt("Try", ...inTurn(commands), say("So it went.")));
    },
  },
  {
    name: "a hook allows what a rule denies",
    files: { "a.txt": "a\n" },
    async play(stage) {
      const hookSpecificOutput = {
        hookEventName: "PreToolUse" as const,
        permissionDecision: "allow" as const,
      };
      const talk = stage.open({
        settings: { permissions: { deny: ["Bash(rm:*)", "Edit(./kept/**)"] } },
        hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({ hookSpecificOutput })] }] },
      });
      const calls = [
        bash("rm a.txt", "Remove it"),
        bash("echo $(rm a.txt)", "Remove it"),
        bash("touch kept/n.txt", "Make it"),
        bash("touch n.txt", "Make it"),
        tool("Write", { file_path: ".git/hooks/x", content: "x" }),
      ];
      await talk.turn(prompt("Try", ...inTurn(calls), say("So it went.")));
    },
  },
];
