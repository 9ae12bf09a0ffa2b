import { isObject } from "@signalbox/protocol/wire";
import { extractImages, extractText } from "../../tool-payload/content.ts";
import { mcpName } from "../../tool-payload/tool-kinds.ts";
import type { JsonText, McpTool, ToolResult } from "../../tool-payload/payload.ts";
import { omitUndefined, json } from "../../tool-payload/values.ts";

export function mcpToolCall(name: string, input: unknown): McpTool {
  const { server, tool } = mcpName(name) ?? { server: "", tool: name };
  return { kind: "mcp_tool", server, tool, input: json(input) };
}

export function mcpToolResult(payload: McpTool, { content, structured }: ToolResult): McpTool {
  const whole = extractText(content) || extractText(contentIn(structured) ?? "");
  const text = whole.replace(toModel, "");
  const images = extractImages(content) ?? extractImages(contentIn(structured));
  return { ...payload, output: omitUndefined({ text, structured: dataIn(structured), images }) };
}

/** The text that 2.1.325 adds for the model when a call has failed. */
const toModel = /\n\nThis tool's input schema was not in your prompt[\s\S]*$/;

/**
 * On 2.1.7 the structure repeats the content, as text or blocks. 2.1.325 wraps it in an object if
 * the server sent `structuredContent` or links.
 */
function contentIn(structured: unknown): unknown {
  return isObject(structured) ? structured["content"] : structured;
}

function dataIn(structured: unknown): JsonText | undefined {
  if (!isObject(structured)) return undefined;
  const { content: _, structuredContent, ...rest } = structured;
  if (structuredContent !== undefined) return json(structuredContent);
  return Object.keys(rest).length > 0 ? json(rest) : undefined;
}
