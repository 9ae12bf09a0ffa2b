import { isObject, type JsonObject, ControlRefusal } from "@signalbox/protocol/wire";
import { isDisabled } from "./server.ts";
import type { McpServers } from "./servers.ts";

/** Reads a page that a server offers for hosts to show (`ui://…`). It is not shown to the model. */
export async function readForHost(
  mcp: McpServers,
  { serverName, uri }: JsonObject,
): Promise<JsonObject> {
  if (typeof uri !== "string") throw new ControlRefusal("mcp_read_resource: uri must be a string");
  if (!uri.startsWith("ui://")) {
    throw new ControlRefusal("mcp_read_resource: uri must use the ui:// scheme");
  }
  const name = String(serverName);
  const server = mcp.get(name);
  if (!server) throw new ControlRefusal(`Server not found: ${name}`);
  if (server.config.type === "sdk") {
    throw new ControlRefusal(
      "mcp_read_resource does not support SDK MCP servers: the caller hosts them and can read them directly",
    );
  }
  if (isDisabled(server)) {
    throw new ControlRefusal(
      `MCP server ${name} is disabled — enable it (mcp_toggle) before reading`,
    );
  }
  if (server.status !== "connected") {
    throw new ControlRefusal(`MCP server ${name} is not connected (status: ${server.status})`);
  }
  const answer = await mcp.ask(name, "resources/read", { uri }).catch((cause: Error) => {
    throw new ControlRefusal(`mcp_read_resource: ${cause.message}`);
  });
  const contents = isObject(answer) ? answer["contents"] : undefined;
  return { contents: Array.isArray(contents) ? contents : [] };
}
