import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { ContentBlock } from "@signalbox/agent";
import type { Session } from "../session.ts";
import { binaryText, keepBytes } from "./binary.ts";

const pictures = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const text = (content: string): ContentBlock => ({ type: "text", text: content });

/**
 * Converts an MCP block to the API's format. Bytes are stored in files, and the model is told
 * where.
 */
export async function blocksFrom(
  session: Session,
  server: string,
  block: JsonObject,
): Promise<ContentBlock[]> {
  const sent = { data: String(block["data"]), mimeType: String(block["mimeType"]) };
  switch (block["type"]) {
    case "text":
      return [text(String(block["text"]))];
    case "image":
      return imageBlocks(session, server, sent);
    case "audio":
      return [text(`[Audio from ${server}] ${await binaryText(session, server, sent)}`)];
    case "resource":
      return resourceBlocks(session, server, block["resource"]);
    case "resource_link":
      return [text(linkText(block))];
    default:
      return [text(JSON.stringify(block))];
  }
}

async function imageBlocks(
  session: Session,
  server: string,
  sent: { data: string; mimeType: string },
): Promise<ContentBlock[]> {
  if (!pictures.has(sent.mimeType)) {
    return [text(`[Image from ${server}] ${await binaryText(session, server, sent)}`)];
  }
  const source = { type: "base64", data: sent.data, media_type: sent.mimeType };
  const path = await keepBytes(session, server, sent);
  return [{ type: "image", source }, text(`[Image: source: ${path}]`)];
}

async function resourceBlocks(
  session: Session,
  server: string,
  resource: unknown,
): Promise<ContentBlock[]> {
  const { uri, text: inside, blob, mimeType } = isObject(resource) ? resource : {};
  const from = `[Resource from ${server} at ${String(uri)}]`;
  if (typeof inside === "string") return [text(`${from} ${inside}`)];
  if (typeof blob !== "string") return [];
  const sent = { data: blob, mimeType: typeof mimeType === "string" ? mimeType : "" };
  if (pictures.has(sent.mimeType)) {
    return [text(`${from} `), ...(await imageBlocks(session, server, sent))];
  }
  return [text(`${from} ${await binaryText(session, server, sent)}`)];
}

function linkText({ name, uri, description }: JsonObject): string {
  const more = typeof description === "string" ? ` (${description})` : "";
  return `[Resource link: ${String(name)}] ${String(uri)}${more}`;
}
