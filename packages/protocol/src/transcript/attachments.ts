import { isObject, type JsonObject } from "../json.ts";

/**
 * What was attached to a conversation: a prompt that was written while the model worked, or a file.
 * Whatever else the program attaches is written for the model, and not converted.
 */
export function convertAttachment(entry: JsonObject, common: JsonObject): JsonObject | undefined {
  const { attachment } = entry;
  if (!isObject(attachment)) return undefined;
  const base = { type: "user", timestamp: entry["timestamp"], ...common };
  if (attachment["type"] === "queued_command") {
    const { prompt, source_uuid, commandMode } = attachment;
    if (typeof prompt !== "string" && !Array.isArray(prompt)) return undefined;
    const uuid = typeof source_uuid === "string" ? source_uuid : entry["uuid"];
    if (commandMode !== undefined && commandMode !== "prompt") {
      return { ...base, uuid, message: { role: "user", content: prompt } };
    }
    // It belongs to the turn that is under way and begins none.
    const message = { role: "user", content: prompt };
    return { ...base, uuid, isReplay: true, queued: true, message };
  }
  const path = attachment["displayPath"] ?? attachment["filename"] ?? attachment["path"];
  const isFile = /^(?:file|directory|pdf|image|already_read_file|compact_file_reference)/.test(
    String(attachment["type"]),
  );
  if (!isFile || typeof path !== "string") return undefined;
  const message = { role: "user", content: `Attached: ${path}` };
  return { ...base, uuid: entry["uuid"], isSynthetic: true, message };
}
