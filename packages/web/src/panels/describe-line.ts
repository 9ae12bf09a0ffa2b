import { strings } from "../strings/strings.ts";

/** Describes a line of the protocol by its type and subtype. */
export function describeLine(text: string | undefined): string {
  if (text === undefined) return strings.panels.protocol.longLine;
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return text.slice(0, 80);
  }
  if (typeof line !== "object" || line === null) return text.slice(0, 80);
  const it = line as Record<string, unknown>;
  const inner = (it["request"] ?? it["response"] ?? it["event"] ?? {}) as Record<string, unknown>;
  const parts = [
    it["type"] ?? it["note"],
    it["subtype"],
    inner["subtype"] ?? inner["type"],
    inner["tool_name"],
  ];
  return parts.filter((part) => typeof part === "string").join(" · ") || text.slice(0, 80);
}
