import { isCutBody } from "@signalbox/client";
import type { ToolPayload } from "@signalbox/timeline";

/** What a call gave back, as text; empty: nothing worth a line. */
export function formatToolOutput(payload: ToolPayload): string {
  if (payload.error !== undefined) return formatBody(payload.error);
  if (payload.kind === "modify_file") return formatBody(payload.output?.diff ?? "");
  if (payload.kind === "read_file") {
    return payload.output ? `${payload.output.lineCount} lines` : "";
  }
  const { output } = payload as { output?: unknown };
  if (typeof output !== "object" || output === null) return formatBody(output ?? "");
  const fields = output as Readonly<Record<string, unknown>>;
  const told = ["stdout", "stderr", "content", "text", "response", "message"]
    .map((name) => formatBody(fields[name] ?? "").trimEnd())
    .filter((text) => text !== "");
  if (told.length > 0) return told.join("\n");
  const { files } = fields;
  return Array.isArray(files) ? files.join("\n") : "";
}

/** A text that rides in its item, or both ends of one that is too large for it. */
export function formatBody(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isCutBody(value)) return "";
  const left = value.characters - value.head.length - value.tail.length;
  return `${value.head}\n… ${left} characters …\n${value.tail}`;
}
