import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Options, query, type SDKMessage } from "@anthropic-ai/claude-agent-sdk";

setDefaultTimeout(180_000);

const examples = join(import.meta.dir, "../../../examples");
const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-examples-")));
const env = { HOME: place, PATH: process.env["PATH"] };

async function messages(prompt: string, program: string, options: Partial<Options> = {}) {
  const all: SDKMessage[] = [];
  const asked = query({
    prompt,
    options: {
      cwd: place,
      env,
      pathToClaudeCodeExecutable: join(examples, program),
      spawnClaudeCodeProcess: ({ args, cwd, env: environment, signal }) =>
        spawn(process.execPath, args, { cwd, env: environment, signal }),
      ...options,
    },
  });
  for await (const message of asked) all.push(message);
  return all;
}

describe("example agents of the kit", () => {
  test("[AG45] an echo agent of fewer than forty lines works with the official SDK", async () => {
    const source = readFileSync(join(examples, "echo-agent/echo-agent.ts"), "utf8");
    expect(source.trimEnd().split("\n").length).toBeLessThan(40);
    const all = await messages("good day", "echo-agent/echo-agent.ts");
    expect(all.map(({ type }) => type)).toContain("assistant");
    expect(all.at(-1)).toMatchObject({ type: "result", result: "You said: good day" });
  });

  test("[AG45] the program in docs/libraries.md asks its host for permission and lists the folder", async () => {
    const program = "list-agent/list-agent.ts";
    const [, ...source] = readFileSync(join(examples, program), "utf8").split("\n");
    const page = readFileSync(join(examples, "../docs/libraries.md"), "utf8");
    expect(page).toContain(source.join("\n"));
    writeFileSync(join(place, "here.txt"), "");
    const canUseTool: NonNullable<Options["canUseTool"]> = (tool, input) =>
      Promise.resolve(
        tool === "List"
          ? { behavior: "allow", updatedInput: input }
          : { behavior: "deny", message: "What is that?" },
      );
    const all = await messages("What is here?", program, { canUseTool });
    expect(all.at(-1)).toMatchObject({
      type: "result",
      result: expect.stringContaining("here.txt"),
    });
    const nobody = await messages("What is here?", program);
    expect(nobody.at(-1)).not.toMatchObject({ result: expect.stringContaining("here.txt") });
  });

  test("[AG45] a fake Claude plays its story and asks for permission", async () => {
    const asked: string[] = [];
    const all = await messages("go", "fake-claude/fake-claude.ts", {
      env: { ...env, FAKE_STORY: join(examples, "fake-claude/story.json") },
      canUseTool: (tool) => {
        asked.push(tool);
        return Promise.resolve({ behavior: "deny", message: "Not today." });
      },
    });
    expect(asked).toEqual(["Bash"]);
    expect(JSON.stringify(all)).toContain("Not today.");
    expect(all.at(-1)).toMatchObject({ type: "result", result: "There is a README." });
  });

  test("[AG45] a fake Claude without a story explains what it needs", () => {
    const program = join(examples, "fake-claude/fake-claude.ts");
    const { status, stderr } = spawnSync(process.execPath, [program], { env, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(/^Set FAKE_STORY to .+\.$/);
    rmSync(place, { recursive: true, force: true });
  });
});
