import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { SignalboxError } from "@signalbox/protocol";
import * as z from "zod";
import { type AgentVersion, agents, openStage } from "@signalbox/testing/agent-stage";
import { until } from "@signalbox/testing/until";

const PATIENCE = 180_000;
const versions = Object.keys(agents) as AgentVersion[];

function greeter(): McpServer {
  const server = new McpServer({ name: "greeter", version: "1" });
  server.registerTool("greet", { inputSchema: { name: z.string() } }, ({ name }) => ({
    content: [{ type: "text", text: `Hello, ${name}!` }],
  }));
  return server;
}

describe.each(versions)("control requests to Claude Code %s", (version) => {
  test(
    "an in-process MCP tool is offered, called, and its answer reaches the agent",
    async () => {
      await using stage = await openStage();
      const onAsk = () => ({ behavior: "allow" }) as const;
      const talk = await stage.start(version, {}, { onAsk, mcpServers: { greeter: greeter() } });
      await talk.turn('::tool mcp__greeter__greet {"name":"Ada"}\n::say done');
      expect(talk.system("init")[0]?.tools).toContain("mcp__greeter__greet");
      expect(talk.toolResults).toContain("Hello, Ada!");
      const { mcpServers } = await talk.host.mcpStatus();
      expect(mcpServers).toMatchObject([{ name: "greeter", status: "connected" }]);
    },
    PATIENCE,
  );

  test(
    "an MCP server of the launch is started by the agent; servers can be set, toggled and reconnected",
    async () => {
      await using stage = await openStage();
      const file = stage.at("server.mjs");
      writeFileSync(file, mcpServerSource);
      const server = { command: "node", args: [file] };
      const talk = await stage.start(version, { mcpServers: { outside: server } });
      const status = async () => {
        const { mcpServers } = await talk.host.mcpStatus();
        return Object.fromEntries(mcpServers.map(({ name, status }) => [name, status]));
      };
      await until(async () => (await status())["outside"] !== "pending");
      expect(await status()).toMatchObject({ outside: "connected" });
      await talk.host.setMcpServers({ added: server });
      await until(async () => (await status())["added"] !== "pending");
      expect(await status()).toMatchObject({ added: "connected" });
      if (version === "2.1.7") return; // it knows neither of the next two
      await talk.host.toggleMcpServer("outside", false);
      expect(await status()).toMatchObject({ outside: "disabled" });
      await talk.host.toggleMcpServer("outside", true);
      await talk.host.reconnectMcpServer("outside");
      expect(await status()).toMatchObject({ outside: "connected" });
    },
    PATIENCE,
  );

  test(
    "model, permission mode and thinking tokens are set in mid-session",
    async () => {
      await using stage = await openStage();
      const talk = await stage.start(version);
      await talk.turn("::say before");
      await talk.host.setModel("claude-haiku-4-5");
      await talk.host.setPermissionMode("acceptEdits");
      await talk.host.setMaxThinkingTokens(2048);
      await talk.turn(
        `::tool Write ${JSON.stringify({ file_path: stage.at("a.txt"), content: "x" })}\n::say after`,
      );
      const [, second] = talk.system("init");
      expect(second?.permissionMode).toBe("acceptEdits");
      expect(second?.model).toBe("claude-haiku-4-5");
      expect(existsSync(stage.at("a.txt"))).toBe(true);
      expect(stage.model.requests.at(-1)).toMatchObject({ thinking: { budget_tokens: 2048 } });
    },
    PATIENCE,
  );

  test(
    "what a version does not know is refused as unsupported, and nothing breaks",
    async () => {
      await using stage = await openStage();
      const talk = await stage.start(version);
      const failure: unknown = await talk.host.request("nonsense").catch((error: unknown) => error);
      expect(SignalboxError.is(failure, "REQUEST_REFUSED")).toBe(true);
      if (version === "2.1.7") {
        const refused: unknown = await talk.host.contextUsage().catch((error: unknown) => error);
        expect(SignalboxError.is(refused, "REQUEST_REFUSED")).toBe(true);
      } else {
        expect((await talk.host.contextUsage()).totalTokens).toBeNumber();
        expect(await talk.host.request("get_session_cost")).toBeObject();
      }
      expect((await talk.turn("::say fine")).result).toBe("fine");
    },
    PATIENCE,
  );

  test(
    "files are rewound to a message: a dry run says what would change, then it is done",
    async () => {
      await using stage = await openStage();
      const talk = await stage.start(version, { permissionMode: "acceptEdits" });
      const write = (content: string) =>
        `::tool Write ${JSON.stringify({ file_path: stage.at("doc.txt"), content })}\n::say written`;
      await talk.turn(write("first"));
      const { uuid } = await talk.host.prompt({
        text: `::tool Read ${JSON.stringify({ file_path: stage.at("doc.txt") })}\n${write("second")}`,
      });
      await talk.result();
      expect(readFileSync(stage.at("doc.txt"), "utf8")).toBe("second");
      const dry = await talk.host.rewindFiles(uuid, { dryRun: true });
      expect(dry.canRewind).toBe(true);
      expect(dry.filesChanged).toEqual([stage.at("doc.txt")]);
      expect(readFileSync(stage.at("doc.txt"), "utf8")).toBe("second");
      expect((await talk.host.rewindFiles(uuid)).canRewind).toBe(true);
      expect(readFileSync(stage.at("doc.txt"), "utf8")).toBe("first");
    },
    PATIENCE,
  );

  test(
    "options that this version does not know are left out and named; the others arrive",
    async () => {
      await using stage = await openStage();
      const talk = await stage.start(version, {
        effort: "high",
        maxTurns: 1,
        model: "claude-haiku-4-5",
        appendSystemPrompt: "--Speak like a pirate.",
        addDirs: [stage.home],
        sessionId: "11111111-2222-4333-8444-555555555555",
      });
      const result = await talk.turn("::tool Glob {}\n::say more than one turn");
      const left = talk.host.run.unsupportedOptions.map(({ option }) => option);
      if (version === "2.1.7") {
        expect(left).toEqual(["--forward-subagent-text", "--include-hook-events", "--effort"]);
      } else {
        expect(left).toEqual([]);
      }
      expect(result.session_id).toBe("11111111-2222-4333-8444-555555555555");
      expect(result.subtype).toBe("error_max_turns");
      expect(talk.system("init")[0]?.model).toBe("claude-haiku-4-5");
      expect(JSON.stringify(stage.model.requests)).toContain("--Speak like a pirate.");
    },
    PATIENCE,
  );
});

/** The smallest MCP server there is, on stdio, without any dependency. */
const mcpServerSource = `
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = method === "initialize"
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "tiny", version: "1" } }
    : method === "tools/list" ? { tools: [] } : {};
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
}
`;
