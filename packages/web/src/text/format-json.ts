import { joinEnds, isCut } from "./body.ts";
import { strings } from "../strings/strings.ts";

/** A value as indented JSON; truncated texts are joined. */
export function formatJson(value: unknown): string {
  try {
    const shown: unknown = JSON.stringify(
      value,
      (_, one: unknown) => (isCut(one) ? joinEnds(one) : one),
      2,
    );
    return typeof shown === "string" ? shown : String(value);
  } catch {
    return strings.formats.tooDeep; // JSON.stringify gives up from 10⁵ levels on
  }
}

/** A line of the protocol, indented if it is JSON. */
export function formatJsonLine(line: string): string {
  try {
    return formatJson(JSON.parse(line));
  } catch {
    return line;
  }
}

export function isEmptyJson(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === "object" && Object.keys(value).length === 0)
  );
}
