import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readDefinitions } from "../src/commands/definitions.ts";
import { readBlock } from "../src/markdown/yaml-block.ts";
import { openToolStage } from "./tool-stage.ts";

const GUARD = `hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: exit 2`;

async function kindIn(head: string, { trusted = false } = {}) {
  using stage = openToolStage();
  const path = join(stage.folder, ".claude/agents/kind.md");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `---\nname: kind\ndescription: For tests\n${head}\n---\nYou are kind.`);
  const projects = { [stage.folder]: { hasTrustDialogAccepted: trusted } };
  writeFileSync(join(stage.place, "home/.claude.json"), JSON.stringify({ projects }));
  await readDefinitions(stage.session);
  const found = stage.session.agents.find(({ type }) => type === "kind");
  return { found, reported: stage.reported };
}

describe("kinds of agents in files", () => {
  test("every field is read, and what makes no sense is passed over", async () => {
    const head = [
      "tools:",
      "  - Read",
      "  - mcp__shop",
      "disallowedTools: Bash, Write",
      "skills: [greet, wave]",
      "permissionMode: acceptEdits",
      "model: haiku",
      "effort: boundless",
      "maxTurns: 0",
      "memory: local",
      "background: true",
      "omitClaudeMd: yes, please",
    ];
    const { found } = await kindIn(head.join("\n"));
    expect(found).toEqual({
      type: "kind",
      description: "For tests",
      prompt: "You are kind.",
      source: "projectSettings",
      tools: ["Read", "mcp__shop"],
      disallowedTools: ["Bash", "Write"],
      skills: ["greet", "wave"],
      permissionMode: "acceptEdits",
      model: "haiku",
      memory: "local",
      background: true,
    });
  });

  test("hooks of a folder that nobody trusts are not run, and that is told", async () => {
    const trusted = await kindIn(GUARD, { trusted: true });
    const hooks = [{ type: "command", command: "exit 2" }];
    expect(trusted.found?.hooks).toEqual({ PreToolUse: [{ matcher: "Bash", hooks }] });
    expect(trusted.reported).toEqual([]);
    const { found, reported } = await kindIn(GUARD);
    expect(found?.hooks).toBeUndefined();
    expect(reported.join()).toContain("Hooks of the agent kind are not run");
  });

  test("a kind whose hooks cannot be read is none, and that is told", async () => {
    const { found, reported } = await kindIn("hooks:\n  PreToolUse:\n    - <<: *guards", {
      trusted: true,
    });
    expect(found).toBeUndefined();
    expect(reported.join()).toContain("kind.md is not used");
  });
});

test("blocks of YAML are read as people write them", () => {
  const head = `name: x
one: # of several
  - a: "b: c"   
    d: 'it''s'
  -
    e: [1, 2]
  - |
    first
    second
two:
- plain text # with a remark
- true
three: {"f": null}
four:
name2: y`;
  expect(readBlock(head, "one")).toEqual([
    { a: "b: c", d: "it's" },
    { e: [1, 2] },
    "first\nsecond",
  ]);
  expect(readBlock(head, "two")).toEqual(["plain text", true]);
  expect(readBlock(head, "three")).toEqual({ f: null });
  expect(readBlock(head, "four")).toBeNull();
  expect(readBlock(head, "five")).toBeUndefined();
  expect(() => readBlock("a:\n  b\n  c: 1", "a")).toThrow("not understood");
});
