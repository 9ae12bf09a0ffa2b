import { isObject } from "@signalbox/protocol/wire";
import type { ToolImage } from "./payload.ts";
import { toFields, omitUndefined, toList, stringify, text, nonEmptyString } from "./values.ts";

/** All text in a result's content, one block below the other. */
export function extractText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return extractBlockText(content);
  return content
    .map(extractBlockText)
    .filter((part) => part !== "")
    .join("\n");
}

function extractBlockText(block: unknown): string {
  if (!isObject(block)) return stringify(block);
  switch (block["type"]) {
    case "text":
      return stringify(block["text"]);
    case "image":
      return "";
    case "tool_reference": // ToolSearch answers with this block on 2.1.325.
      return stringify(block["tool_name"]);
    case "resource":
      return stringify(toFields(block["resource"])["text"] ?? block["resource"]);
    case "resource_link":
      return stringify(block["uri"]);
    default:
      return text(block["text"]) ?? stringify(block);
  }
}

export function extractImages(content: unknown): readonly ToolImage[] | undefined {
  const images = toList(content).flatMap((block) => extractBlockImage(block) ?? []);
  return images.length > 0 ? images : undefined;
}

/** Reads the API's image block and MCP's, which has `data` and `mimeType` without a `source`. */
function extractBlockImage(block: unknown): ToolImage | undefined {
  const { type, source, data, mimeType } = toFields(block);
  if (type !== "image") return undefined;
  const from = toFields(source);
  return imageFrom(from["data"] ?? data, from["media_type"] ?? mimeType, text(from["url"]));
}

export function imageFrom(data: unknown, mediaType: unknown, url?: string): ToolImage {
  const base64 = text(data);
  const bytes = base64 === undefined ? 0 : countBase64Bytes(base64);
  return omitUndefined({
    mediaType: nonEmptyString(mediaType) ?? "image/png",
    data: base64,
    url,
    bytes,
  });
}

function countBase64Bytes(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

/**
 * 2.1.325 answers "rejected" to a call that was stopped, and corrects that further down. 2.1.7
 * writes it below the exit code. Anywhere else the same text may be the output of a command.
 */
export function isStopNotice(whole: string): boolean {
  return (
    (isRefusalNotice(whole) && whole.includes("this call was stopped while running")) ||
    stopNotice.test(whole)
  );
}

/** The text of a result for a call that a person denied. */
export function isRefusalNotice(whole: string): boolean {
  return whole.startsWith(REFUSED);
}

/**
 * The whole text of 2.1.7 about a subagent that was stopped, and about a call that was stopped
 * while it asked.
 */
export function isOnlyStopNotice(whole: string): boolean {
  return stopNotices.has(whole.trim());
}
const stopNotices = new Set([
  "[Request interrupted by user for tool use]",
  "Tool permission request failed: AbortError",
]);
const REFUSED = "The user doesn't want to proceed with this tool use.";
export const stopNotice = /^(Exit code -?\d+\n)\[Request interrupted by user for tool use\]\n?/;

/**
 * The error text of a failed tool. `structured` is then a text too, after "Error: ", without the
 * tags and the advice to the model that `content` may contain.
 */
export function extractError(content: unknown, structured: unknown): string {
  const structuredText = nonEmptyString(structured)?.replace(/^Error: /, "");
  const contentText = extractText(content).trim();
  if (structuredText === "User rejected tool use" && isStopNotice(contentText))
    return "Interrupted by the user";
  const whole = structuredText ?? contentText;
  const wrapped = whole.startsWith("<tool_use_error>") && extractTag(whole, "tool_use_error");
  return wrapped || whole || "failed";
}

/** 2.1.7 ends the text of some results with a reminder to the model that the tool did not write. */
export function removeReminder(whole: string): string {
  if (!whole.trimEnd().endsWith("</system-reminder>")) return whole;
  const from = whole.lastIndexOf("<system-reminder>");
  return from < 0 ? whole : whole.slice(0, from).replace(/\n{1,2}$/, "");
}

/** The text between `<tag>` and `</tag>`. */
export function extractTag(whole: string, tag: string): string | undefined {
  const open = whole.indexOf(`<${tag}>`);
  const close = whole.indexOf(`</${tag}>`, open);
  return open < 0 || close < 0 ? undefined : whole.slice(open + tag.length + 2, close);
}
