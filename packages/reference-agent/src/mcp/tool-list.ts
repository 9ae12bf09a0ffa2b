import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { Channel } from "./channel.ts";
import { getPages } from "./pages.ts";

export interface McpTool {
  readonly server: string;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: JsonObject;
  /** The longest result that the server declares, instead of the usual limit. */
  readonly maxChars?: number;
}

const MAX_CHARS = 500_000;

/** Lists all tools of a server, page by page. */
export async function listTools(server: string, channel: Channel): Promise<McpTool[]> {
  const pages = await getPages(channel, "tools/list");
  return pages.flatMap((page) => toolsIn(server, page));
}

export function toolsIn(server: string, { tools }: JsonObject): McpTool[] {
  return (Array.isArray(tools) ? tools.filter(isObject) : []).map((tool) => ({
    server,
    name: String(tool["name"]),
    ...(typeof tool["title"] === "string" ? { title: tool["title"] } : {}),
    description: typeof tool["description"] === "string" ? tool["description"] : "",
    inputSchema: isObject(tool["inputSchema"]) ? tool["inputSchema"] : { type: "object" },
    annotations: isObject(tool["annotations"]) ? tool["annotations"] : {},
    ...maxCharsIn(tool["_meta"]),
  }));
}

function maxCharsIn(meta: unknown): { maxChars?: number } {
  const sizeLimit = isObject(meta) ? meta["anthropic/maxResultSizeChars"] : undefined;
  if (typeof sizeLimit !== "number" || !(sizeLimit > 0)) return {};
  return { maxChars: Math.min(sizeLimit, MAX_CHARS) };
}
