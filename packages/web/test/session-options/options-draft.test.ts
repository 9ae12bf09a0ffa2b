import { describe, expect, test } from "bun:test";
import type { SessionOptions } from "@signalbox/api";
import { splitCommand } from "@signalbox/protocol/text";
import { joinCommand } from "../../src/session-options/command.ts";
import {
  findOptionsProblem,
  listOptionChanges,
  type OptionsDraft,
  readOptions,
  toOptionsDraft,
} from "../../src/session-options/options-draft.ts";
import { newServer } from "../../src/session-options/server-draft.ts";
import { newVariable } from "../../src/session-options/variable-draft.ts";

const options: SessionOptions = {
  agent: "claude-code",
  driver: "sdk",
  environment: "work",
  isolation: "no-network",
  model: "opus",
  fallbackModel: "haiku",
  effort: "high",
  systemPrompt: { mode: "replace", text: "Be brief." },
  jsonSchema: { type: "object" },
  maxTurns: 5,
  maxBudgetUsd: 1.5,
  askLimitMinutes: 10,
  addDirs: ["/a", "/b c"],
  variables: { TOKEN: null, SHOWN: { value: "yes" } },
  mcpServers: {
    local: { type: "stdio", command: "npx", args: ["serve", "/a folder"], env: { KEY: null } },
    far: { type: "sse", url: "https://example.com/mcp", headers: { "X-Key": null } },
  },
};
const empty = toOptionsDraft({});

describe("options that are edited", () => {
  test("are sent as they came if nothing is changed", () => {
    expect(readOptions(toOptionsDraft(options))).toEqual(options);
    expect(listOptionChanges(options, toOptionsDraft(options))).toEqual({});
    expect(readOptions(empty)).toEqual({});
    // What the form does not show stays.
    expect(listOptionChanges({ mode: "plan", policy: "plan" }, empty)).toEqual({});
  });

  test("are sent where they differ, and null where they are removed", () => {
    const draft: OptionsDraft = {
      ...toOptionsDraft(options),
      model: " sonnet ",
      maxTurns: "",
      systemPrompt: " ",
      isolation: "",
      folders: "/a\n\n /c ",
      servers: [],
      variables: [
        ...toOptionsDraft(options).variables,
        { ...newVariable("NEW", true), value: "secret" },
      ],
    };
    expect(listOptionChanges(options, draft)).toEqual({
      model: "sonnet",
      maxTurns: null,
      systemPrompt: null,
      isolation: null,
      addDirs: ["/a", "/c"],
      mcpServers: null,
      variables: { TOKEN: null, SHOWN: { value: "yes" }, NEW: "secret" },
    });
  });

  test("a server that was stored without its type is not changed", () => {
    const stored: SessionOptions = { mcpServers: { x: { command: "run" } } };
    expect(listOptionChanges(stored, toOptionsDraft(stored))).toEqual({});
  });

  test("that cannot be used are refused with the reason", () => {
    const find = (part: Partial<OptionsDraft>) => findOptionsProblem({ ...empty, ...part });
    const server = { ...newServer(), name: "a", where: "run" };
    expect(findOptionsProblem(toOptionsDraft(options))).toBeUndefined();
    expect(find({ servers: [server] })).toBeUndefined();
    expect(find({ maxTurns: "1.5" })).toContain("whole number");
    expect(find({ maxBudgetUsd: "-1" })).toContain("greater than 0");
    expect(find({ askLimitMinutes: "soon" })).toContain("greater than 0");
    expect(find({ jsonSchema: "{" })).toContain("not valid JSON");
    expect(find({ jsonSchema: "[]" })).toContain("must be a JSON object");
    expect(find({ variables: [newVariable("1A")] })).toContain("not a valid variable name");
    expect(find({ variables: [newVariable("A"), newVariable("A")] })).toContain("set twice");
    expect(find({ variables: [newVariable("A", true)] })).toContain("Enter a value for A");
    expect(find({ servers: [{ ...server, name: "" }] })).toContain("needs a name");
    expect(find({ servers: [{ ...server, where: "" }] })).toContain("needs a command or a URL");
    expect(find({ servers: [server, server] })).toContain("two MCP servers named");
    expect(find({ servers: [{ ...server, kind: "http" }] })).toContain("is not valid");
  });
});

test("a command is split into words and written again", () => {
  expect(splitCommand("")).toEqual([]);
  expect(splitCommand(`a  'b c' --x="1 2" it"'"s`)).toEqual(["a", "b c", "--x=1 2", "it's"]);
  const words = ["npx", "a folder", "", `it's`, `say "hi"`, `both ' and "`];
  expect(splitCommand(joinCommand(words))).toEqual(words);
});
