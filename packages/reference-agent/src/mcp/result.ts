import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { ContentBlock } from "@signalbox/agent";
import type { Session } from "../session.ts";
import { type Output, ToolFailure } from "../tool.ts";
import { blocksFrom } from "./blocks.ts";
import { findMalformedPart } from "./malformed.ts";
import type { McpTool } from "./tool-list.ts";
import { fitResult } from "./too-large.ts";

/** Converts a server's answer to a call to the output for model and host. */
export async function getOutput(session: Session, tool: McpTool, answer: unknown): Promise<Output> {
  const why = findMalformedPart(answer);
  if (why !== undefined) {
    throw new ToolFailure(
      `MCP server "${tool.server}" returned a malformed result that failed schema validation: Invalid result for tools/call: ${why}`,
    );
  }
  const { content: sent, isError, structuredContent, _meta } = answer as JsonObject;
  const given = Array.isArray(sent) ? sent.filter(isObject) : [];
  if (isError === true) throw new ToolFailure(getTexts(given) || "Unknown error");
  const content = await fitResult(
    session,
    tool,
    await getWhole(session, tool, answer as JsonObject),
  );
  const links = given.filter(({ type }) => type === "resource_link").map(getLink);
  const beside = {
    ...(structuredContent !== undefined && { structuredContent }),
    ...(links.length > 0 && { resourceLinks: links }),
    ...(_meta !== undefined && { _meta }),
  };
  const structured = Object.keys(beside).length > 0 ? { content, ...beside } : content;
  return { content, structured };
}

/**
 * Returns the answer. Structured content takes precedence over texts, which are its older form;
 * images are kept.
 */
async function getWhole(
  session: Session,
  { server }: McpTool,
  { content, structuredContent }: JsonObject,
): Promise<string | ContentBlock[]> {
  const given = Array.isArray(content) ? content.filter(isObject) : [];
  const blocks = (list: readonly JsonObject[]) =>
    Promise.all(list.map((block) => blocksFrom(session, server, block)));
  if (structuredContent === undefined) return (await blocks(given)).flat();
  const structuredText = JSON.stringify(structuredContent);
  const pictures = given.filter(({ type }) => type === "image");
  if (pictures.length === 0) return structuredText;
  return [...(await blocks(pictures)).flat(), { type: "text", text: structuredText }];
}

function getLink(block: JsonObject): JsonObject {
  const { type: _, ...link } = block;
  return link;
}

function getTexts(blocks: readonly (JsonObject | ContentBlock)[]): string {
  return blocks
    .flatMap(({ text: blockText }) => (typeof blockText === "string" ? [blockText] : []))
    .join("\n");
}
