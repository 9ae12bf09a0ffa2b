import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readDefinitions } from "../src/commands/definitions.ts";
import { readFrontMatter } from "../src/markdown/front-matter.ts";
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

describe("agent definitions in files", () => {
  test("every field is read, and invalid ones are ignored", async () => {
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

  test("hooks of an untrusted folder do not run, and that is reported", async () => {
    const trusted = await kindIn(GUARD, { trusted: true });
    const hooks = [{ type: "command", command: "exit 2" }];
    expect(trusted.found?.hooks).toEqual({ PreToolUse: [{ matcher: "Bash", hooks }] });
    expect(trusted.reported).toEqual([]);
    const { found, reported } = await kindIn(GUARD);
    expect(found?.hooks).toBeUndefined();
    expect(reported.join()).toContain("Hooks of the agent kind are not run");
  });

  test("a definition whose hooks cannot be read is refused, and that is reported", async () => {
    const { found, reported } = await kindIn("hooks:\n  PreToolUse:\n    - <<: *guards", {
      trusted: true,
    });
    expect(found).toBeUndefined();
    expect(reported.join()).toContain("kind.md is not used");
  });
});

describe("front matter", () => {
  const read = (head: string) => readFrontMatter(`---\n${head}\n---\nbody`);

  test("is YAML with texts of every kind, lists and maps", async () => {
    const { head, body, readFields } = await read(`name: x # a remark
on: true
one: # of several
  - a: "b: c"
    d: 'it''s'
  - |
    first
    second
two:
- plain text
- true
three: {"f": null}
four:`);
    expect(head).toEqual({
      name: "x",
      on: "true",
      one: "[object Object], first\nsecond",
      two: "plain text, true",
      four: "",
    });
    expect(body).toBe("body");
    expect(readFields()).toEqual({
      name: "x",
      on: true,
      one: [{ a: "b: c", d: "it's" }, "first\nsecond\n"],
      two: ["plain text", true],
      three: { f: null },
      four: null,
    });
  });

  test("may contain unquoted values that are not YAML", async () => {
    const lines = ["description: Use it: often", "paths: **/*.ts, *.md", "argument-hint: [a] [b]"];
    expect((await read(lines.join("\n"))).head).toEqual({
      description: "Use it: often",
      paths: "**/*.ts, *.md",
      "argument-hint": "[a] [b]",
    });
  });

  test("that is invalid still gives its readable fields as texts", async () => {
    const { head, readFields } = await read("disable-model-invocation: true\nhooks:\n  a: [");
    expect(head["disable-model-invocation"]).toBe("true");
    expect(readFields).toThrow();
  });
});
