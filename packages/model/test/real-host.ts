import type { Model } from "@signalbox/model";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "@signalbox/testing/until";

export type Line = { type: string } & Record<string, unknown>;
export type Block = Record<string, unknown> & { type: string };

const flags = "--print --output-format stream-json --input-format stream-json --verbose";
const hosted = "--permission-prompt-tool stdio --include-partial-messages";

/** The command that starts the real program, or undefined where it is not installed. */
export const programs = {
  "2.1.325": installed(
    `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`,
    "claude",
  ),
  "2.1.7": installed("claude-code-2.1.7", "cli.js", "node"),
};

function installed(name: string, file: string, ...runner: string[]): string[] | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return existsSync(join(folder, file)) ? [...runner, join(folder, file)] : undefined;
  } catch {
    return undefined;
  }
}

/** The least a host can be: it allows everything, takes every first option and serves one MCP tool. */
export class RealHost {
  readonly lines: Line[] = [];
  readonly #child;
  readonly #exited: Promise<unknown>;
  readonly #home = mkdtempSync(join(tmpdir(), "model-home-"));
  readonly cwd = mkdtempSync(join(tmpdir(), "model-cwd-"));

  /** Everything but PATH is made up: nothing of the real environment reaches the program. */
  constructor(command: string[], model: Model, prepare: (cwd: string) => void = () => {}) {
    prepare(this.cwd);
    const env = {
      PATH: process.env.PATH,
      HOME: this.#home,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_ENABLE_TODO_TOOLS: "1", // 2.1.325 offers its task list only then
    };
    const [program = "", ...args] = [...command, ...`${flags} ${hosted}`.split(" ")];
    this.#child = spawn(program, args, { cwd: this.cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    this.#exited = new Promise((resolve) => this.#child.once("exit", resolve));
    let rest = "";
    this.#child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(JSON.parse(line) as Line);
    });
    this.#send({ subtype: "initialize", sdkMcpServers: ["demo"] });
  }

  prompt(content: string): void {
    const message = { role: "user", content };
    this.#write({ type: "user", message, parent_tool_use_id: null, session_id: "" });
  }
  interrupt(): void {
    this.#send({ subtype: "interrupt" });
  }

  /** Waits for a line, among those from `since` on, that satisfies the condition. */
  async until(wanted: (line: Line) => boolean, since: number): Promise<number> {
    let at = since - 1;
    const next = () => {
      while (++at < this.lines.length) if (wanted(this.lines[at] as Line)) return true;
      at -= 1; // the next line is looked at when it is there
      return false;
    };
    const seen = () => this.lines.slice(-3);
    await until(`the program sends a line for which ${wanted.toString()}`, next, { seen });
    return at;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
    for (const folder of [this.#home, this.cwd]) rmSync(folder, { recursive: true, force: true });
  }

  #take(line: Line): void {
    if (line.type === "control_request") this.#answer(line);
    if (line.type === "stream_event") return;
    this.lines.push(line);
  }
  #answer({ request_id, request }: Line): void {
    const response = answerTo(request as Asked);
    this.#write({
      type: "control_response",
      response: { subtype: "success", request_id, response },
    });
  }
  #send(request: object): void {
    this.#write({ type: "control_request", request_id: crypto.randomUUID(), request });
  }
  #write(line: object): void {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`);
  }
}

type Asked = {
  subtype: string;
  tool_name: string;
  input: { questions?: { question: string; options: { label: string }[] }[] };
  message: { method: string; id?: number; params?: { protocolVersion?: string } };
};

function answerTo({ subtype, input, message }: Asked): object {
  if (subtype === "mcp_message") return { mcp_response: ping(message) };
  if (subtype !== "can_use_tool") return {};
  const answers = input.questions?.map(({ question, options }) => [question, options[0]?.label]);
  const updatedInput = answers ? { ...input, answers: Object.fromEntries(answers) } : input;
  return { behavior: "allow", updatedInput };
}

/** An MCP server named `demo` with a tool named `ping`. */
function ping({ method, id, params }: Asked["message"]): object {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "demo", version: "1" },
    },
    "tools/list": { tools: [{ name: "ping", inputSchema: { type: "object", properties: {} } }] },
    "tools/call": { content: [{ type: "text", text: "pong" }] },
  };
  return { jsonrpc: "2.0", id, result: results[method] ?? {} };
}

/** The blocks of the lines of one type that the main agent or the host said. */
export function blocks(lines: Line[], type: "assistant" | "user"): Block[] {
  return lines
    .filter((line) => line.type === type && !line.parent_tool_use_id)
    .flatMap(({ message }) => {
      const { content } = message as { content: string | Block[] };
      return typeof content === "string" ? [{ type: "text", text: content }] : content;
    });
}
