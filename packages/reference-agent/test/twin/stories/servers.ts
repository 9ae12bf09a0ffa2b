import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  type CanUseTool,
  createSdkMcpServer,
  type McpServerStatus,
  tool as sdkTool,
} from "@anthropic-ai/claude-agent-sdk";
import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";

const source = readFileSync(new URL("../mcp-server.mjs", import.meta.url), "utf8");
const calls = (...names: string[]): string =>
  prompt("Call", ...names.flatMap((name) => [tool(`mcp__shop__${name}`, {}), next]), say("Done."));

const shop = { command: "node", args: ["shop.mjs"] };
const none = { command: "false" };

const results: Record<string, object> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "shop", version: "1.0.0" },
  },
  "tools/list": { tools: [{ name: "go", inputSchema: { type: "object", properties: {} } }] },
  "tools/call": { content: [{ type: "text", text: "It went." }] },
};

/** Starts a server that knows one session. A later one on the same port does not know it. */
async function listen(port: number, session: string): Promise<Server> {
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const message = JSON.parse((await text(request)) || "{}") as { id?: number; method?: string };
    const isKnown =
      message.method === "initialize" || request.headers["mcp-session-id"] === session;
    if (request.method !== "POST" || !isKnown || message.id === undefined) {
      response.writeHead(request.method !== "POST" ? 405 : isKnown ? 202 : 404).end();
      return;
    }
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": session });
    response.end(
      JSON.stringify({ jsonrpc: "2.0", id: message.id, result: results[message.method ?? ""] }),
    );
  };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

async function leave(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Returns a server's status without its configuration, which has a story of its own. */
const brief = ({ name, status, error, scope, tools }: McpServerStatus) => ({
  name,
  status,
  error,
  scope,
  tools: tools?.length,
});

/** MCP servers that are programs or remote: they stop, come back, and send too much. */
export const servers: Story[] = [
  {
    name: "calls of servers, of the web and questions are asked about before the next call is told",
    async play(stage) {
      let told = 0;
      const allTold = () => talk.said("assistant", told);
      const tools = ["one", "two"].map((name) =>
        sdkTool(name, name, {}, async () => {
          await allTold();
          return { content: [{ type: "text", text: "It ran." }] };
        }),
      );
      const canUseTool: CanUseTool = async (name, input) => {
        await allTold();
        return name.startsWith("Web")
          ? { behavior: "deny", message: "Not now." }
          : { behavior: "allow", updatedInput: input };
      };
      const talk = stage.open({
        canUseTool,
        mcpServers: { inside: createSdkMcpServer({ name: "inside", tools }) },
        allowedTools: ["mcp__inside__two"],
      });
      const options = ["Yes", "No"].map((label) => ({ label, description: label }));
      const question = { question: "Really?", header: "Sure", options, multiSelect: false };
      for (const first of [
        tool("mcp__inside__one", {}),
        tool("mcp__inside__two", {}),
        tool("WebFetch", { url: "https://example.invalid/", prompt: "What is it?" }),
        tool("WebSearch", { query: "signal boxes" }),
        tool("AskUserQuestion", { questions: [question] }),
      ]) {
        told += 2;
        await talk.turn(prompt("Do both", first, bash("touch made", "Touch"), next, say("Done.")));
        told++;
      }
    },
  },
  {
    name: "an MCP server that dies and comes back, and one that does not",
    files: { "shop.mjs": source },
    async play(stage) {
      const shop = { command: "node", args: [`${stage.folder}/shop.mjs`] };
      const talk = stage.open({ canUseTool: allow, mcpServers: { shop } });
      await talk.turn(calls("die", "go"));
      stage.note("status", await talk.query.mcpServerStatus());
      stage.write("shop.mjs", "process.exit(1);\n");
      await talk.turn(calls("die", "go"));
      await talk.turn(calls("go"));
    },
  },
  {
    name: "results of an MCP server: large, in pieces, pictures, failures",
    files: { "shop.mjs": source },
    async play(stage) {
      const shop = { command: "node", args: [`${stage.folder}/shop.mjs`] };
      const talk = stage.open({ allowedTools: ["mcp__shop"], mcpServers: { shop } });
      await talk.turn(calls("line", "lines", "texts", "much", "declared", "large_structure"));
      await talk.turn(calls("structure", "picture", "sound", "resource", "archive", "link"));
      await talk.turn(calls("nothing", "marked", "fail", "fail_silently", "fail_at_length"));
      await talk.turn(calls("broken"));
    },
  },
  {
    name: "an MCP server by HTTP that comes back without our session",
    async play(stage) {
      let server = await listen(0, "first");
      const { port } = server.address() as AddressInfo;
      try {
        const shop = { type: "http" as const, url: `http://127.0.0.1:${port}/mcp` };
        const talk = stage.open({ allowedTools: ["mcp__shop"], mcpServers: { shop } });
        await talk.turn(calls("go"));
        await leave(server);
        server = await listen(port, "second");
        await talk.turn(calls("go", "go"));
      } finally {
        await leave(server);
      }
    },
  },
  {
    name: "an MCP server that asks, and one that offers more while it runs",
    files: { "shop.mjs": source },
    async play(stage) {
      const shop = { command: "node", args: [`${stage.folder}/shop.mjs`] };
      const talk = stage.open({ allowedTools: ["mcp__shop"], mcpServers: { shop } });
      await talk.turn(calls("ask", "grow", "go_on"));
    },
  },
  {
    name: "an MCP server that takes too long, and an interrupt while it is silent",
    files: { "shop.mjs": source },
    async play(stage) {
      const shop = { command: "node", args: [`${stage.folder}/shop.mjs`] };
      const late = stage.open({
        allowedTools: ["mcp__shop"],
        mcpServers: { shop },
        env: { MCP_TOOL_TIMEOUT: "4000" },
      });
      await late.turn(calls("wait", "go"));
      await late.end();
      const ownTime = { shop: { ...shop, timeout: 2000 } };
      const impatient = stage.open({ allowedTools: ["mcp__shop"], mcpServers: ownTime });
      await impatient.turn(calls("wait", "go"));
      await impatient.end();
      rmSync(`${stage.folder}/begun`);
      const talk = stage.open({ canUseTool: allow, mcpServers: { shop } });
      talk.say(calls("wait"));
      await stage.exists("begun");
      await talk.query.interrupt();
      await talk.result();
      await talk.turn(calls("go"));
    },
  },
  {
    name: "MCP servers of a person, of folders, of a person in a project and of the command line",
    files: {
      "shop.mjs": source,
      "../.mcp.json": JSON.stringify({ mcpServers: { above: shop, both: none } }),
      ".mcp.json": JSON.stringify({
        mcpServers: {
          both: { command: "${NO_SUCH:-node}", args: ["shop.mjs"] },
          odd: { command: "node", args: "shop.mjs" },
          local: none,
        },
      }),
    },
    async play(stage) {
      const notes = {
        mcpServers: { own: shop, local: none, given: none, off: shop },
        projects: { [stage.folder]: { mcpServers: { local: shop }, disabledMcpServers: ["off"] } },
      };
      writeFileSync(join(stage.folder, "../home/.claude.json"), JSON.stringify(notes));
      const talk = stage.open({ mcpServers: { given: shop } });
      await talk.turn(say("Hello."));
      const servers = await talk.query.mcpServerStatus();
      stage.note(
        "servers",
        servers.map(({ name, status, scope }) => [name, status, scope]),
      );
      await talk.end();
      const strict = stage.open({ mcpServers: { given: shop }, strictMcpConfig: true });
      await strict.turn(say("Hello."));
    },
  },
  {
    name: "an in-process MCP server that asks, and offers more while it runs",
    async play(stage) {
      const text = (said: unknown) => ({
        content: [{ type: "text" as const, text: JSON.stringify(said) }],
      });
      const shop = createSdkMcpServer({
        name: "shop",
        tools: [
          sdkTool("grow", "Offers another tool", {}, async () => {
            const config = { description: "Goes on", inputSchema: {} };
            shop.instance.registerTool("go_on", config, () => text("It went on."));
            await talk.asked("mcp_message", 2); // These are this call and the new list.
            return text("It grew.");
          }),
          sdkTool("ping", "Asks whether anybody is there", {}, async () =>
            text(await shop.instance.server.ping()),
          ),
          sdkTool("ask", "Asks a person", {}, async () => {
            const requestedSchema = { type: "object" as const, properties: {} };
            const question = { message: "Well?", requestedSchema };
            return text(await shop.instance.server.elicitInput(question).catch(String));
          }),
        ],
      });
      const talk = stage.open({ allowedTools: ["mcp__shop"], mcpServers: { shop } });
      await talk.turn(calls("grow", "go_on", "ping", "ask"));
    },
  },
  {
    name: "MCP servers that are set: new, replaced, named twice, and those that nobody can start",
    files: {
      "shop.mjs": source,
      ".mcp.json": JSON.stringify({ mcpServers: { project: shop } }),
    },
    async play(stage) {
      const talk = stage.open({ mcpServers: { given: shop, stays: shop } });
      await talk.turn(say("Hello."));
      await talk.lifecycle("completed", 1);
      const set = async (servers: Parameters<typeof talk.query.setMcpServers>[0]) => {
        stage.note("set", await talk.query.setMcpServers(servers));
        stage.note("status", (await talk.query.mcpServerStatus()).map(brief));
      };
      const other = { command: "node", args: ["shop.mjs", "other"] };
      const silent = { command: "node", args: ["nowhere.mjs"] };
      await set({ project: other, first: shop, given: other, silent });
      await set({ second: shop, first: other, given: { type: "stdio", ...other } });
      await set({
        missing: { command: "/no/such", args: [] },
        unknown: { command: "nosuch", args: [] },
      });
      await talk.turn(say("Hello."));
      await talk.lifecycle("completed", 2);
      await set({});
    },
  },
  {
    name: "MCP servers that greet in no version we know, have no list, or a name that is taken",
    files: {
      "shop.mjs": source,
      "old.mjs": source.replaceAll("2025-06-18", "1999-01-01"),
      "listless.mjs": source
        .replace("{ method, params }, reply)", "{ id, method, params }, reply)")
        .replace(
          '"tools/list") return { tools };',
          '"tools/list") return void send({ id, error: { code: -1, message: "None today" } });',
        ),
    },
    async play(stage) {
      const run = (file: string, more = {}) => ({ command: "node", args: [file], ...more });
      const given = {
        old: run("old.mjs"),
        "claude-in-chrome": shop,
        "computer-use": shop,
        workspace: shop,
        "two\nlines": run("shop.mjs", { env: { SECRET: "s" } }),
        listless: run("listless.mjs"),
        always: run("shop.mjs", { alwaysLoad: true }),
        missing: { command: "/no/such/server" },
        unknown: { command: "no-such-server" },
        brief: { command: "xyz" },
      };
      const wrong: Record<string, unknown> = {
        odd: { type: "odd" },
        empty: {},
        typeless: { url: "http://127.0.0.1:9/" },
        "no list": { command: "x", args: "y" },
        "no url": { type: "http" },
        blank: { command: "" },
        several: { command: 5, args: [1], env: { A: 5 } },
      };
      const mcpServers = { ...given, ...(wrong as typeof given) };
      const talk = stage.open({ mcpServers });
      await talk.turn(say("Hello."));
      stage.note("status", await talk.query.mcpServerStatus());
    },
  },
  {
    name: "resources of a program: text, bytes, and one that is gone",
    files: {
      "shelf.mjs": readFileSync(new URL("../resource-server.mjs", import.meta.url), "utf8"),
    },
    async play(stage) {
      const shelf = { command: "node", args: ["shelf.mjs"] };
      const talk = stage.open({ mcpServers: { shelf } });
      const read = (uri: string) => tool("ReadMcpResourceTool", { server: "shelf", uri });
      const reads = ["one", "cover", "gone"].flatMap((name) => [read(`book://${name}`), next]);
      await talk.turn(prompt("Read", tool("ListMcpResourcesTool", {}), next, ...reads, say("So.")));
      const asked = async (server: string, uri: string) =>
        stage.note(uri, await talk.query.readMcpResource(server, uri).catch(String));
      await asked("shelf", "ui://page");
      await asked("shelf", "ui://gone");
      await asked("shelf", "book://one");
      await asked("nowhere", "ui://page");
      await talk.query.toggleMcpServer("shelf", false);
      await asked("shelf", "ui://page");
    },
  },
];
