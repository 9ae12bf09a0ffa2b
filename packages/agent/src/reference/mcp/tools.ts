import type { JsonObject } from "@signalbox/protocol/wire";
import type { ContentBlock } from "../../agent.ts";
import { addRule, asksWhilePlanning } from "../permission/verdict.ts";
import type { Session } from "../session.ts";
import { isRecord } from "../tools/schema.ts";
import { shape, string, text, type Tool, ToolFailure } from "../tools/tool.ts";
import type { McpServer, McpTool } from "./servers.ts";

const MAX_CHARS = 100_000;
const clean = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_");
export const mcpToolName = ({ server, name }: McpTool): string =>
  `mcp__${clean(server)}__${clean(name)}`;

/** The tools of all servers that are connected, as tools of the agent. */
export function mcpTools(session: Session): Tool[] {
  const tools = session.mcp.tools.map(asTool);
  const withResources = session.mcp.all.some(
    ({ status, capabilities }) => status === "connected" && capabilities["resources"] !== undefined,
  );
  return withResources ? [...tools, listResources, readResource] : tools;
}

function asTool(tool: McpTool): Tool {
  const name = mcpToolName(tool);
  const onlyReads = tool.annotations["readOnlyHint"] === true;
  return {
    name,
    displayName: tool.title ?? titled(tool.name),
    description: tool.description.slice(0, 4000),
    input: tool.inputSchema,
    sideBySide: () => onlyReads,
    judge(_input, { session }) {
      const source = session.mcp.get(tool.server)?.config.type === "sdk" ? "sdk" : "config";
      const mcp_server = { name: tool.server, source };
      if (!onlyReads && session.permission.holdsPlan) {
        return asksWhilePlanning(`call ${name}`, { mcp_server });
      }
      return {
        behavior: "pass",
        suggestions: [addRule(name, undefined, "localSettings")],
        fields: { mcp_server, server_policy_ask_only: true },
      };
    },
    async run(input, { session, toolUseId, signal }) {
      const server = session.mcp.get(tool.server);
      if (!server?.channel || server.status !== "connected") {
        throw new ToolFailure(`The MCP server ${tool.server} is not connected.`);
      }
      const timeoutMs = Number(session.birth.environment["MCP_TOOL_TIMEOUT"]) || 600_000;
      const answer = await server.channel
        .request("tools/call", callOf(tool, input, toolUseId), { signal, timeoutMs })
        .catch((cause: Error) => {
          throw new ToolFailure(cause.message);
        });
      const { content, isError, structuredContent } = isRecord(answer) ? answer : {};
      const blocks = (Array.isArray(content) ? content.filter(isRecord) : []).map(asBlock);
      if (isError === true)
        throw new ToolFailure(textsOf(blocks) || "The tool failed without a word.");
      if (blocks.length === 0 && structuredContent !== undefined) {
        const said = JSON.stringify(structuredContent);
        return {
          content: [{ type: "text", text: said }],
          structured: { content: said, structuredContent },
        };
      }
      return { content: blocks, structured: blocks };
    },
  };
}

let progress = 2;
function callOf(tool: McpTool, input: JsonObject, toolUseId: string): JsonObject {
  const _meta = { "claudecode/toolUseId": toolUseId, progressToken: progress++ };
  return { name: tool.name, arguments: input, _meta };
}

function titled(name: string): string {
  const words = name.replace(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** MCP's blocks as the API knows them. */
function asBlock(block: JsonObject): ContentBlock {
  switch (block["type"]) {
    case "image":
      return {
        type: "image",
        source: { type: "base64", data: block["data"], media_type: block["mimeType"] },
      };
    case "resource": {
      const resource = isRecord(block["resource"]) ? block["resource"] : {};
      return {
        type: "text",
        text: cut(
          typeof resource["text"] === "string"
            ? resource["text"]
            : `[resource ${String(resource["uri"])}]`,
        ),
      };
    }
    case "resource_link":
      return { type: "text", text: `[resource ${String(block["uri"])}]` };
    case "text":
      return { type: "text", text: cut(String(block["text"])) };
    default:
      return { type: "text", text: cut(JSON.stringify(block)) };
  }
}

function cut(whole: string): string {
  return whole.length > MAX_CHARS
    ? `${whole.slice(0, MAX_CHARS)}\n[cut: ${whole.length} characters]`
    : whole;
}

function textsOf(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap(({ text: said }) => (typeof said === "string" ? [said] : [])).join("\n");
}

const listResources: Tool = {
  name: "ListMcpResourcesTool",
  description: "Lists the resources that the MCP servers offer.",
  input: shape({}, { server: string("Only those of this server") }),
  sideBySide: () => true,
  async run(input, { session }) {
    const wanted = text(input, "server");
    const servers = session.mcp.all.filter(
      ({ name, status, capabilities }) =>
        status === "connected" &&
        capabilities["resources"] !== undefined &&
        (wanted === "" || name === wanted),
    );
    if (wanted !== "" && servers.length === 0) throw unknownServer(wanted, session);
    const lists = await Promise.all(servers.map(resourcesOf));
    const found = lists.flat();
    const content = found.length > 0 ? JSON.stringify(found) : "No resources found.";
    return { content, structured: found };
  },
};

function unknownServer(name: string, { mcp }: Session): ToolFailure {
  const known = mcp.all.map((server) => server.name).join(", ");
  return new ToolFailure(`Server "${name}" not found. Available servers: ${known}`);
}

async function resourcesOf({ name, channel }: McpServer): Promise<JsonObject[]> {
  const answer = await channel?.request("resources/list").catch(() => undefined);
  const { resources } = isRecord(answer) ? answer : {};
  return (Array.isArray(resources) ? resources.filter(isRecord) : []).map(
    ({ name: title, ...one }) => ({ name: title, ...one, server: name }),
  );
}

const readResource: Tool = {
  name: "ReadMcpResourceTool",
  description: "Reads one resource of an MCP server.",
  input: shape({ server: string("The server"), uri: string("The resource's address") }),
  sideBySide: () => true,
  async run(input, { session, signal }) {
    const server = session.mcp.get(text(input, "server"));
    if (!server?.channel || server.status !== "connected") {
      throw unknownServer(text(input, "server"), session);
    }
    const answer = await server.channel.request(
      "resources/read",
      { uri: text(input, "uri") },
      { signal },
    );
    return { content: cut(JSON.stringify(answer)), structured: answer };
  },
};
