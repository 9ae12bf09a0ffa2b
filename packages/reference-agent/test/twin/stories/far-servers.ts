import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FarServer } from "../far-server.ts";
import { next, prompt, say, tool } from "../script.ts";
import type { Story } from "../story.ts";

const calls = (...names: string[]): string =>
  prompt("Call", ...names.flatMap((name) => [tool(`mcp__shop__${name}`, {}), next]), say("Done."));

async function listen(answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}/mcp` };
}

async function leave(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Remote MCP servers. */
export const farServers: Story[] = [
  {
    name: "a server by HTTP that asks, tells of new tools and breaks off",
    async play(stage) {
      const far = await FarServer.open();
      try {
        const talk = stage.open({
          allowedTools: ["mcp__shop"],
          mcpServers: { shop: { type: "http", url: far.url } },
          onElicitation(request) {
            stage.note("asked", request);
            return Promise.resolve({ action: "accept", content: { size: "large" } });
          },
        });
        await talk.turn(calls("ask", "elicit", "grow", "go_on", "break_off", "go"));
      } finally {
        await far.close();
      }
    },
  },
  {
    name: "a server by HTTP that goes away for a while",
    async play(stage) {
      const isQuiet = true;
      let far = await FarServer.open({ isQuiet });
      const { port, url } = far;
      try {
        const talk = stage.open({
          allowedTools: ["mcp__shop"],
          mcpServers: { shop: { type: "http", url } },
        });
        await talk.turn(calls("go"));
        await far.close();
        await talk.turn(calls("go", "go", "go"));
        stage.note("status", await talk.query.mcpServerStatus());
        await talk.turn(say("Nothing."));
        far = await FarServer.open({ port, isQuiet });
        await talk.query.reconnectMcpServer("shop");
        stage.note("status", await talk.query.mcpServerStatus());
        await talk.turn(calls("go"));
      } finally {
        await far.close().catch(() => {});
      }
    },
  },
  {
    name: "headers of a server by HTTP: its own, a helper's, and a token that is refused",
    files: {
      "helper.sh":
        'echo "$CLAUDE_CODE_MCP_SERVER_NAME ${CLAUDE_CODE_MCP_SERVER_URL##*/}" > helped\n' +
        `echo '{"X-Key":"k"}'\n`,
    },
    async play(stage) {
      const far = await FarServer.open({ isQuiet: true, key: "k" });
      const { url } = far;
      try {
        const helper = `sh ${stage.folder}/helper.sh`;
        const helped = { type: "http" as const, url, headersHelper: helper };
        const talk = stage.open({
          allowedTools: ["mcp__shop", "mcp__own"],
          mcpServers: {
            shop: helped,
            own: { type: "http", url, headers: { "X-Key": "k" } },
            refused: { type: "http", url, headers: { Authorization: "Bearer x" } },
          },
        });
        await talk.turn(calls("go"));
        stage.note("status", await talk.query.mcpServerStatus());
      } finally {
        await far.close();
      }
    },
  },
  {
    name: "what answers by HTTP and is no MCP server, or wants to know who asks",
    async play(stage) {
      const html = { "content-type": "text/html" };
      const nothing = await listen((response) => response.writeHead(404).end("Nothing here"));
      const page = await listen((response) => response.writeHead(200, html).end("<p>Hello</p>"));
      const closed = await listen((response) => response.writeHead(403).end("Not you"));
      const gone = await listen(() => {});
      await leave(gone.server);
      try {
        const talk = stage.open({
          mcpServers: {
            nothing: { type: "http", url: nothing.url },
            page: { type: "http", url: page.url },
            closed: { type: "http", url: closed.url },
            gone: { type: "http", url: gone.url },
            "nothing-sse": { type: "sse", url: nothing.url },
            "gone-sse": { type: "sse", url: gone.url },
          },
        });
        await talk.turn(say("Hello."));
        const servers = await talk.query.mcpServerStatus();
        stage.note("status", servers);
        for (const { name } of servers) {
          const failure = await talk.query.reconnectMcpServer(name).catch(String);
          stage.note("reconnect", [name, failure]);
        }
      } finally {
        for (const { server } of [nothing, page, closed]) await leave(server);
      }
    },
  },
];
