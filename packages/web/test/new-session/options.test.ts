import { describe, expect, test } from "bun:test";
import {
  noAdvancedOptions,
  buildOptions,
  findServerProblem,
  splitCommand,
} from "../../src/new-session/options.ts";

describe("what few sessions need", () => {
  test("comes to nothing when nothing was chosen", () => {
    expect(buildOptions(noAdvancedOptions)).toEqual({});
    expect(buildOptions({ ...noAdvancedOptions, servers: [{ name: " ", where: "" }] })).toEqual({});
  });
  test("is a branch, folders, and servers by their command or address", () => {
    const servers = [
      { name: "files", where: 'npx serve --root "/a folder"' },
      { name: " docs ", where: "https://example.com/mcp" },
    ];
    const typed = { worktree: " fix ", driver: "sdk", folders: "/a\n\n /b " };
    expect(buildOptions({ ...noAdvancedOptions, isolation: "no-network" })).toEqual({
      isolation: "no-network",
    });
    expect(buildOptions({ ...noAdvancedOptions, ...typed, servers })).toEqual({
      worktree: "fix",
      driver: "sdk",
      addDirs: ["/a", "/b"],
      mcpServers: {
        files: { type: "stdio", command: "npx", args: ["serve", "--root", "/a folder"] },
        docs: { type: "http", url: "https://example.com/mcp" },
      },
    });
  });
  test("a server without a name, a place, or a name of its own is refused with the reason", () => {
    const a = { name: "a", where: "run" };
    expect(findServerProblem([a, { name: "", where: "" }])).toBeUndefined();
    expect(findServerProblem([{ name: "", where: "run" }])).toContain("needs a name");
    expect(findServerProblem([{ name: "a", where: "" }])).toContain("needs a command");
    expect(findServerProblem([a, a])).toContain("two MCP servers named");
    expect(findServerProblem([{ name: "a", where: "http://" }])).toContain("not valid");
  });
  test("quotes hold the words of a command together", () => {
    expect(splitCommand(`a 'b c' d="e f" ""`)).toEqual(["a", "b c", "d=e f", ""]);
  });
});
