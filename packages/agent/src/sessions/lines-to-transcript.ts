import { isObject, type JsonObject, parseObject } from "@signalbox/protocol/wire";

export interface HubLine {
  readonly from: string;
  readonly text: string;
}

/** Converts a log of lines to a transcript. A prompt and its echo become one message. */
export function transcriptOfLines(
  lines: readonly HubLine[],
  fallbackId: string,
): { id: string; text: string } {
  const stored: JsonObject[] = [];
  const seen = new Set<unknown>();
  let id = fallbackId;
  let parentUuid: unknown = null;
  for (const { from, text } of lines) {
    const body = parseObject(text);
    if (typeof body === "string" || !isConversation(from, body)) continue;
    const { uuid, session_id: sessionId, parent_tool_use_id: lane, isReplay: _, ...rest } = body;
    if (typeof sessionId === "string" && sessionId !== "") id = sessionId;
    if (seen.has(uuid)) continue;
    seen.add(uuid);
    const isSidechain = typeof lane === "string";
    const isRoot = rest["subtype"] === "compact_boundary";
    stored.push({ ...rest, uuid, isSidechain, parentUuid: isRoot ? null : parentUuid });
    if (!isSidechain) parentUuid = uuid;
  }
  return { id, text: stored.map((line) => `${JSON.stringify(line)}\n`).join("") };
}

function isConversation(from: string, body: JsonObject): boolean {
  if (typeof body["uuid"] !== "string") return false;
  if (body["type"] === "user") return isObject(body["message"]);
  if (from !== "agent") return false;
  if (body["type"] === "assistant") return isObject(body["message"]);
  return body["type"] === "system" && body["subtype"] === "compact_boundary";
}
