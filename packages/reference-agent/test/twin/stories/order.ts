import { join } from "node:path";
import type { CanUseTool } from "@anthropic-ai/claude-agent-sdk";
import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Stage, type Story } from "../story.ts";

const touch = (name: string) => bash(`touch ${name}`, "Touch");

/** Plays turns of several calls each. The host answers questions after all calls are reported. */
async function playCalls(stage: Stage, turns: readonly (readonly string[])[]): Promise<void> {
  let told = 0;
  const canUseTool: CanUseTool = async (...call) => {
    await talk.said("assistant", told);
    const [, { command }] = call;
    return command === "touch no" ? { behavior: "deny", message: "No." } : allow(...call);
  };
  const talk = stage.open({ canUseTool });
  for (const calls of turns) {
    told += calls.length;
    await talk.turn(prompt("Do all", ...calls, next, say("Done.")));
    told++;
  }
}

export const order: Story[] = [
  {
    name: "calls that nobody knows among those that are asked about",
    files: { ".claude/settings.json": JSON.stringify({ permissions: { deny: ["Bash(rm:*)"] } }) },
    play(stage) {
      const [unknown, unfit, denied] = [tool("Nope", {}), tool("Bash", {}), bash("rm a", "Remove")];
      return playCalls(stage, [
        [touch("a"), unknown, unknown, touch("c"), unknown, touch("d")],
        [touch("no"), unknown, touch("c")],
        [touch("a"), unknown, unfit, touch("c")],
        [touch("a"), unfit, unknown, touch("c")],
        [touch("a"), unknown, denied, touch("c")],
        [touch("a"), denied, unknown, touch("c")],
        [touch("a"), unknown, tool("Write", { file_path: "b", content: "b" })],
      ]);
    },
  },
  {
    name: "first calls that are asked about, refused or done before the next one is told",
    files: { "a.ipynb": "{}\0", "../outside/a.txt": "a\n" },
    play(stage) {
      const cell = { notebook_path: "a.ipynb", cell_id: "a", new_source: "1" };
      return playCalls(stage, [
        [tool("Read", { file_path: join(stage.folder, "../outside/a.txt") }), touch("c")],
        [bash("touch no", "Touch", { run_in_background: true }), touch("c")],
        [tool("NotebookEdit", cell), touch("c")],
        [tool("EnterPlanMode", {}), bash("pwd", "Look")],
      ]);
    },
  },
];
