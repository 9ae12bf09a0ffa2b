import { expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

setDefaultTimeout(60_000);

const program = join(import.meta.dir, "../bin/signalbox-agent.mjs");

test("[AG47] mcp serve offers the tools to any MCP client", async () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-mcp-")));
  const child = spawn(process.execPath, [program, "mcp", "serve"], {
    cwd: place,
    env: { HOME: place, PATH: process.env["PATH"] },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const path = join(place, "made.txt");
  const call = (id: number, name: string, args: object) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: args },
  });
  const requests = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-03-26" } },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
    call(3, "Write", { file_path: path, content: "by MCP\n" }),
    call(4, "Nonsense", {}),
    call(5, "Read", { wrong: true }),
    { jsonrpc: "2.0", id: 6, method: "resources/list" },
  ];
  for (const request of requests) child.stdin.write(`${JSON.stringify(request)}\n`);
  child.stdin.end();
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(0);
  type Answer = { id: number; result?: Record<string, unknown>; error?: { code: number } };
  const answers = new Map(
    said
      .trim()
      .split("\n")
      .map((line) => {
        const answer = JSON.parse(line) as Answer;
        return [answer.id, answer];
      }),
  );
  expect(answers.size).toBe(6);
  expect(answers.get(1)?.result).toMatchObject({ protocolVersion: "2025-03-26" });
  expect(JSON.stringify(answers.get(2)?.result)).toContain('"name":"Bash"');
  expect(answers.get(3)?.result).toMatchObject({ isError: false });
  expect(readFileSync(path, "utf8")).toBe("by MCP\n");
  expect(answers.get(4)?.error?.code).toBe(-32_602);
  expect(answers.get(5)?.result).toMatchObject({ isError: true });
  expect(answers.get(6)?.error?.code).toBe(-32_601);
  rmSync(place, { recursive: true, force: true });
});
