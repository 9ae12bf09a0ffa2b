import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { entryPoint } from "../../src/command-line/entry-point.ts";
import { parseArguments } from "../../src/command-line/parse-arguments.ts";
import { parseOptions } from "../../src/command-line/parse-options.ts";

const read = (...argv: string[]) => parseOptions(parseArguments(argv), true);
const refusal = (...argv: string[]) => {
  try {
    read(...argv);
    return undefined;
  } catch (failure) {
    return (failure as Error).message;
  }
};

describe("the command line", () => {
  test("[AG38] flags have the same meaning as in Claude Code", () => {
    const options = read(
      "-p",
      "--output-format=json",
      "--model",
      "opus",
      "--max-turns",
      "3",
      "--max-budget-usd",
      "0.5",
      "--allowedTools",
      "Bash(git log, *)",
      "Edit,Read",
      "--disallowed-tools",
      "Write",
      "--tools",
      "",
      "--add-dir",
      "/a",
      "/b",
      "--fork-session",
      "--resume",
      "x",
      "--",
      "the prompt",
      "and more",
    );
    expect(options).toMatchObject({
      print: true,
      outputFormat: "json",
      model: "opus",
      maxTurns: 3,
      maxBudgetUsd: 0.5,
      allowedTools: ["Bash(git log, *)", "Edit", "Read"],
      disallowedTools: ["Write"],
      tools: [],
      addDirs: ["/a", "/b"],
      resume: "x",
      forkSession: true,
      sessionPersistence: true,
      prompt: "the prompt",
    });
    expect(read("-p", "--tools", "default", "--", "x").tools).toBeUndefined();
    expect(read("hello there").prompt).toBe("hello there");
    expect(read("-cp", "hi")).toMatchObject({ continue: true, print: true, prompt: "hi" });
    expect(read("-pnx", "hi")).toMatchObject({ print: true, name: "x", prompt: "hi" });
    expect(read("--model", "-cp").model).toBe("-cp");
  });

  test("[AG39] an address to dial implies print mode, streams and verbose; piped input implies print mode", () => {
    expect(read("--sdk-url", "ws://x")).toMatchObject({
      print: true,
      verbose: true,
      inputFormat: "stream-json",
      outputFormat: "stream-json",
    });
    expect(read().print).toBe(false);
    expect(parseOptions(parseArguments([]), false).print).toBe(true);
  });

  test("[AG31] connection options and the number of retries can be set", () => {
    const flags = "buffer 5 attempts 0 first-delay 1 max-delay 2 ping 3 silence 4".split(" ");
    const argv = flags.map((word, at) => (at % 2 === 0 ? `--sdk-url-${word}` : word));
    expect(read("--sdk-url", "ws://x", ...argv).reconnect).toEqual({
      bufferSize: 5,
      attempts: 0,
      firstDelayMs: 1,
      maxDelayMs: 2,
      pingMs: 3,
      silenceMs: 4,
    });
    expect(read("--sdk-url", "ws://x").reconnect).toEqual({});
    expect(refusal("--sdk-url", "ws://x", "--sdk-url-buffer", "0")).toBe(
      "error: option '--sdk-url-buffer <lines>' argument '0' is invalid. must be a whole number of at least 1",
    );
  });

  test.each([
    [["--nonsense"], "error: unknown option '--nonsense'"],
    [["-p", "--model"], "error: option '--model <model>' argument missing"],
    [
      ["-p", "--output-format", "x"],
      "error: option '--output-format <format>' argument 'x' is invalid. Allowed choices are text, json, stream-json.",
    ],
    [
      ["-p", "--permission-mode", "x"],
      "error: option '--permission-mode <mode>' argument 'x' is invalid. Allowed choices are acceptEdits, auto, bypassPermissions, manual, dontAsk, plan.",
    ],
    [
      ["--max-turns", "x"],
      "error: option '--max-turns <turns>' argument 'x' is invalid. must be a number",
    ],
    [
      ["--max-budget-usd", "0"],
      "error: option '--max-budget-usd <amount>' argument '0' is invalid. --max-budget-usd must be a positive number greater than 0",
    ],
    [["--session-id", "x"], "Error: Invalid session ID. Must be a valid UUID."],
    [
      ["-c", "--session-id", "11111111-1111-4111-8111-111111111111"],
      "Error: --session-id can only be used with --continue or --resume if --fork-session is also specified.",
    ],
    [
      ["-p", "--input-format", "stream-json"],
      "Error: --input-format=stream-json requires output-format=stream-json.",
    ],
    [
      ["-p", "--output-format", "stream-json"],
      "Error: When using --print, --output-format=stream-json requires --verbose",
    ],
    [
      ["-p", "--replay-user-messages"],
      "Error: --replay-user-messages requires both --input-format=stream-json and --output-format=stream-json.",
    ],
    [
      ["-p", "--include-partial-messages"],
      "Error: --include-partial-messages requires --print and --output-format=stream-json.",
    ],
    [["-p", "--resume-session-at", "x"], "Error: --resume-session-at requires --resume"],
    [
      ["-p", "--teleport", "x", "--continue"],
      "Error: --teleport and --continue name two sessions to go on with. Give one of them.",
    ],
    [
      ["-p", "--teleport", "x", "--resume", "y"],
      "Error: --teleport and --resume name two sessions to go on with. Give one of them.",
    ],
    [
      ["-p", "--thinking", "x"],
      "error: option '--thinking <mode>' argument 'x' is invalid. Allowed choices are enabled, adaptive, disabled.",
    ],
    [
      ["-p", "--setting-sources", "user, x"],
      "Error processing --setting-sources: Invalid setting source: x. Valid options are: user, project, local",
    ],
    [["-p", "--rewind-files", "x"], "Error: --rewind-files requires --resume"],
    [
      [
        "-p",
        "--verbose",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--resume",
        "x",
        "--rewind-files",
        "x",
      ],
      "Error: --rewind-files is a standalone operation and cannot be used with a prompt",
    ],
    [["-p", "--settings", "/nope.json"], "Error: Settings file not found: /nope.json"],
    [["-p", "--settings", "{bad"], `Error: Settings file not found: ${resolve("{bad")}`],
    [["-p", "--settings", "{bad}"], "Error: Invalid JSON provided to --settings"],
    [
      ["-p", "--settings", "/"],
      "Error: Cannot use settings file (EISDIR: illegal operation on a directory, read): /",
    ],
    [
      ["-p", "--mcp-config", "/nope.json", "{bad", "{}", '{"mcpServers":5}', "/", "--", "hi"],
      `Error: Invalid MCP configuration:
MCP config file not found: /nope.json
MCP config file not found: ${resolve("{bad")}
mcpServers: Invalid input: expected record, received undefined
mcpServers: Invalid input: expected record, received number
Failed to read file: Error: EISDIR: illegal operation on a directory, read`,
    ],
    [["-p", "--json-schema", "[1]"], "Error: --json-schema must be a JSON object"],
    [
      ["-p", "--json-schema", '{"properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"a":{}}}'],
      "Error: --json-schema is not a valid JSON Schema: can't resolve reference #/$defs/b from id #",
    ],
    [["-p", "--json-schema", "null"], "Error: --json-schema must be a JSON object"],
    [
      ["-p", "--json-schema", '{"type":"nonsense"}'],
      "Error: --json-schema is not a valid JSON Schema: data/type must be equal to one of the allowed values, data/type must be array, data/type must match a schema in anyOf",
    ],
    [
      ["-p", "--json-schema", '{"type":"object","properties":5}'],
      "Error: --json-schema is not a valid JSON Schema: data/properties must be object",
    ],
    [
      ["-p", "--agents", "{bad"],
      "Error: Invalid --agents configuration:\ninvalid JSON: JSON Parse error: Expected '}'",
    ],
    [
      ["-p", "--agents", "[1]"],
      "Error: Invalid --agents configuration:\nInvalid input: expected record, received array",
    ],
    [
      ["-p", "--agents", "/nope"],
      "Error: --agents file not found: /nope (a value that is not a JSON object is read as a file path)",
    ],
    [
      ["-p", "--resume"],
      "Error: --resume requires a valid session ID or session title when used with --print. Usage: claude -p --resume <session-id|title>",
    ],
    [
      ["-p", "--system-prompt", "x", "--system-prompt-file", "/nope"],
      "Error: System prompt file not found: /nope",
    ],
    [["--print=yes", "hi"], "error: unknown option '--print=yes'"],
    [["-pz", "hi"], "error: unknown option '-z'"],
  ])("[AG40] %p is refused in Claude Code's words", (argv, said) => {
    expect(refusal(...argv)).toBe(said);
  });

  test.each([
    "--dangerously-skip-permissions",
    "--allow-dangerously-skip-permissions",
    "--permission-mode bypassPermissions",
  ])("[AG47] root outside of a sandbox may not use %s", (flags) => {
    const given = parseArguments(["-p", ...flags.split(" ")]);
    const readAs = (isUnboundRoot: boolean) => parseOptions(given, false, isUnboundRoot);
    expect(() => readAs(true)).toThrow(
      "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons",
    );
    expect(readAs(false).print).toBe(true);
  });

  test("[AG40] a schema that is not JSON is refused", () => {
    expect(refusal("-p", "--json-schema", "{bad")).toStartWith(
      "Error: --json-schema is not valid JSON: ",
    );
  });

  test("[AG41] the environment names the program that started the agent, otherwise the arguments do", () => {
    expect(entryPoint(["-p"], {}, true)).toBe("sdk-cli");
    expect(entryPoint([], {}, false)).toBe("cli");
    expect(entryPoint(["mcp", "serve"], {}, false)).toBe("mcp");
    expect(entryPoint(["-p"], { CLAUDE_CODE_ACTION: "true" }, true)).toBe(
      "claude-code-github-action",
    );
    for (const given of ["sdk-py", "sdk-ts", "claude-vscode", "local-agent"]) {
      expect(entryPoint(["mcp", "serve"], { CLAUDE_CODE_ENTRYPOINT: given }, true)).toBe(given);
    }
  });
});
