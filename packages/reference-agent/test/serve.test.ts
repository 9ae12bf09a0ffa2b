import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Model, startModel } from "@signalbox/model";
import { parseMcpCommand } from "../src/mcp-serve/mcp-command.ts";
import { openToolStage } from "./tool-stage.ts";

setDefaultTimeout(180_000);

const bin = new URL("../bin/signalbox-agent.mjs", import.meta.url).pathname;
let model: Model;
beforeAll(async () => void (model = await startModel({ script: "" })));
afterAll(() => model.close());

interface Answer {
  id: number;
  result?: { content?: { text: string }[]; isError?: true; tools?: { name: string }[] };
  error?: { code: number; message: string };
}

/** Sends all requests at once, closes the input and waits for the end. */
async function ask(
  stage: { folder: string; place: string },
  calls: readonly { method: string; params?: object }[],
  args: readonly string[] = [],
): Promise<Answer[]> {
  const child = Bun.spawn([process.execPath, bin, ...args, "mcp", "serve"], {
    cwd: stage.folder,
    env: {
      HOME: join(stage.place, "home"),
      PATH: process.env["PATH"],
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "dummy-key-for-tests",
    },
    stdin: "pipe",
    stdout: "pipe",
  });
  for (const [id, call] of calls.entries()) {
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...call })}\n`);
  }
  await child.stdin.end();
  const said = (await new Response(child.stdout).text()).trim().split("\n");
  expect(await child.exited).toBe(0);
  const answers = said.map((line) => JSON.parse(line) as Answer);
  return answers.toSorted((one, other) => one.id - other.id);
}

const call = (name: string, input: object) => ({
  method: "tools/call",
  params: { name, arguments: input },
});
const getText = (answer?: Answer) => answer?.result?.content?.[0]?.text ?? "";
const structured = (answer?: Answer) => JSON.parse(getText(answer)) as Record<string, unknown>;

test("[RA32] mcp serve offers the tools to another program and runs its calls", async () => {
  using stage = openToolStage({ files: { "a.txt": "here", "b.txt": "there" } });
  const prompt = `::tool Write ${JSON.stringify({ file_path: "c.txt", content: "x" })}\n::say tried`;
  const answers = await ask(stage, [
    { method: "initialize", params: { protocolVersion: "2025-11-25" } },
    { method: "tools/list" },
    call("Read", { file_path: "a.txt" }),
    call("Bash", { command: "rm b.txt" }),
    call("Agent", { description: "Try", prompt }),
    call("Read", { offset: "x" }),
    call("Edit", { file_path: "a.txt", old_string: "nowhere", new_string: "x" }),
    call("Nonsense", {}),
    { method: "nonsense" },
  ]);
  const [, listed, read, removed, sent, misfit, wrong, noTool, noMethod] = answers;
  const tools = listed?.result?.tools?.map(({ name }) => name).join(" ");
  expect(tools).toBe(
    "Agent Bash Edit Glob Grep NotebookEdit Read SendMessage TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TodoWrite WebFetch WebSearch Write",
  );
  expect(structured(read)).toMatchObject({ type: "text", file: { content: "here" } });
  expect(structured(removed)).toMatchObject({ stdout: "", interrupted: false });
  expect(existsSync(stage.at("b.txt"))).toBe(false);
  expect(structured(sent)).toMatchObject({ status: "completed", toolsUsed: ["Write"] });
  expect(existsSync(stage.at("c.txt"))).toBe(false);
  expect(misfit?.result?.isError).toBe(true);
  expect(getText(misfit)).toStartWith("Tool Read arguments failed schema validation: [");
  expect(getText(wrong)).toStartWith("Tool Edit input is invalid: String to replace not found");
  expect(noTool?.error).toEqual({ code: -32603, message: "Tool Nonsense not found" });
  expect(noMethod?.error).toEqual({ code: -32601, message: "Method not found" });
});

test("[RA32] what a rule denies stays denied, and no hooks run", async () => {
  const deny = ["Bash(rm:*)", "Read(./secret.txt)", "WebFetch"];
  const hook = { hooks: [{ type: "command", command: "touch hooked" }] };
  const settings = { permissions: { deny }, hooks: { PreToolUse: [hook] } };
  using stage = openToolStage({ files: { "secret.txt": "hidden" } });
  const calls = [
    call("Bash", { command: "true; rm secret.txt" }),
    call("Read", { file_path: "secret.txt" }),
    call("Write", { file_path: "secret.txt", content: "open" }),
    call("WebFetch", { url: "http://127.0.0.1:1/", prompt: "x" }),
    call("Bash", { command: "echo done" }),
  ];
  const args = ["--settings", JSON.stringify(settings)];
  const answers = await ask(stage, calls, args);
  const [, , , fetched, said] = answers;
  expect(answers.slice(0, 3).map(({ result }) => result?.isError)).toEqual([true, true, true]);
  expect(JSON.stringify(answers)).not.toContain("hidden");
  expect(readFileSync(stage.at("secret.txt"), "utf8")).toBe("hidden");
  expect(fetched?.error?.message).toBe("Tool WebFetch not found");
  expect(structured(said)).toMatchObject({ stdout: "done" });
  expect(existsSync(stage.at("hooked"))).toBe(false);
});

test("[RA51] mcp serve is a command if its words belong to no flag", () => {
  const getKind = (line: string) => parseMcpCommand(line.split(" "))?.kind;
  for (const line of [
    "mcp serve",
    "--verbose mcp serve",
    "--allowed-tools Bash -- mcp serve",
    "mcp serve extra -d --verbose",
    "mcp -- serve",
    "mcp serve -- --bogus",
  ]) {
    expect({ line, kind: getKind(line) }).toEqual({ line, kind: "serve" });
  }
  for (const line of [
    "-p mcp serve",
    "mcp serve --print",
    "--model mcp serve",
    "--debug mcp serve",
    "hello mcp serve",
    "--bogus mcp serve", // This is refused when the whole command line is parsed.
  ]) {
    expect({ line, kind: getKind(line) }).toEqual({ line, kind: undefined });
  }
  expect([getKind("mcp --help"), getKind("mcp serve -h"), getKind("mcp help")]).toEqual([
    "help",
    "help",
    "help",
  ]);
  expect(() => getKind("mcp serve --bogus=3")).toThrow("error: unknown option '--bogus=3'");
  expect(() => getKind("mcp --verbose serve")).toThrow("error: unknown option '--verbose'");
  expect(() => getKind("mcp add")).toThrow("error: unknown command 'add'");
  expect(() => getKind("mcp")).toThrow("Usage: signalbox-agent");
});
