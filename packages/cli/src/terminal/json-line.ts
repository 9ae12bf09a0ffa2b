import { escapeInJson } from "@signalbox/protocol/text";

/** A value as one line of JSON that may be printed to a terminal. */
export function formatJsonLine(value: unknown): string {
  return escapeInJson(JSON.stringify(value));
}
