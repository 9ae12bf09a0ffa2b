import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { Session } from "../session.ts";
import { shape, string, text, type Tool, ToolFailure } from "../tool.ts";
import { binaryAt, keepResource } from "./binary.ts";
import { RpcError } from "./channel.ts";
import type { McpServer } from "./server.ts";

export const listResources: Tool = {
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
    const lists = await Promise.all(servers.map((server) => getResources(server, session)));
    const found = lists.flat();
    const content = found.length > 0 ? JSON.stringify(found) : "No resources found.";
    return { content, structured: found };
  },
};

function unknownServer(name: string, { mcp }: Session): ToolFailure {
  const known = mcp.all.map((server) => server.name).join(", ");
  return new ToolFailure(`Server "${name}" not found. Available servers: ${known}`);
}

async function getResources({ name }: McpServer, { mcp }: Session): Promise<JsonObject[]> {
  const answer = await mcp.ask(name, "resources/list").catch(() => undefined);
  // UI pages are for hosts to show and not for the model.
  const forModel = recordsIn(answer, "resources").filter(
    ({ uri }) => !String(uri).startsWith("ui://"),
  );
  return forModel.map(({ name: title, ...one }) => ({
    name: title,
    ...one,
    server: name,
  }));
}

export const readResource: Tool = {
  name: "ReadMcpResourceTool",
  description: "Reads one resource of an MCP server.",
  input: shape({ server: string("The server"), uri: string("The resource's address") }),
  sideBySide: () => true,
  async run(input, { session, signal }) {
    const server = session.mcp.get(text(input, "server"));
    if (server?.status !== "connected") throw unknownServer(text(input, "server"), session);
    const uri = text(input, "uri");
    try {
      const answer = await session.mcp.ask(server.name, "resources/read", { uri }, { signal });
      const contents = await Promise.all(
        recordsIn(answer, "contents").map(storedContent(session, server)),
      );
      return { content: JSON.stringify({ contents }), structured: { contents } };
    } catch (cause) {
      if (!(cause instanceof RpcError) || cause.code !== NOT_FOUND) throw cause;
      const error = `Resource not found: ${uri} — ListMcpResourcesTool tells which there are now.`;
      return { content: error, structured: { contents: [], error } };
    }
  },
};

const NOT_FOUND = -32_002;

/** Stores bytes in a file and tells the model where. */
const storedContent =
  (session: Session, { name }: McpServer) =>
  async (one: JsonObject, at: number): Promise<JsonObject> => {
    const { blob, ...rest } = one;
    if (typeof blob !== "string") return one;
    const { uri, mimeType } = rest;
    const sent = { data: blob, mimeType: typeof mimeType === "string" ? mimeType : "" };
    const path = await keepResource(session, at, sent);
    const where = `[Resource from ${name} at ${String(uri)}] ${binaryAt(path, sent)}`;
    return { ...rest, blobSavedTo: path, text: where };
  };

function recordsIn(answer: unknown, field: string): JsonObject[] {
  const list = isObject(answer) ? answer[field] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}
