import { isCutBody } from "@signalbox/client";
import type { ToolPayload } from "@signalbox/timeline";

/** The output of a call as text; empty if there is nothing worth printing. */
export function formatToolOutput(payload: ToolPayload): string {
  if (payload.error !== undefined) return formatBody(payload.error);
  if (payload.kind === "modify_file") return formatBody(payload.output?.diff ?? "");
  if (payload.kind === "read_file") {
    return payload.output ? `${payload.output.lineCount} lines` : "";
  }
  const { output } = payload as { output?: unknown };
  if (typeof output !== "object" || output === null) return formatBody(output ?? "");
  const fields = output as Readonly<Record<string, unknown>>;
  const texts = ["stdout", "stderr", "content", "text", "response", "message"]
    .map((name) => formatBody(fields[name] ?? "").trimEnd())
    .filter((text) => text !== "");
  if (texts.length > 0) return texts.join("\n");
  const { files } = fields;
  return Array.isArray(files) ? files.join("\n") : "";
}

/** The text of a body, or the start and end of one that was cut in its item. */
export function formatBody(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isCutBody(value)) return "";
  const left = value.characters - value.head.length - value.tail.length;
  return `${value.head}\n… ${left} characters …\n${value.tail}`;
}
